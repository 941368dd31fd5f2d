import type { EntityManager } from 'typeorm';
import * as sql from './account-staging.sql.js';
import type { Account } from '../identity-provider/identity-provider.js';
import { isStorable, storableText, toStaged } from './staged-accounts.js';
import type { SyncConflict } from './sync-report.js';

/** A user whose account was not listed. */
export interface UnlistedUser {
  readonly id: number;
  readonly subject: string;
}

/** What bringing staged accounts in did. */
export interface StagingResult {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly deactivated: number;
  readonly skipped: number;
  /** Accesses that waited for one of these people and are in force now. */
  readonly activated: number;
  readonly conflicts: readonly SyncConflict[];
  /** Ids of users whose name, address or state changed. */
  readonly changedUsers: readonly number[];
}

/** More refusals of an address in a chain than this do not happen; it only bounds the loop. */
const maxRounds = 1000;

/**
 * Accounts on their way into the users, in a temporary table of one connection. However many there are, memory holds a
 * page or two of them, and each step is one statement.
 */
export class AccountStaging {
  private unusable: SyncConflict[] = [];

  /** @param manager of one connection, the same for every call */
  constructor(private readonly manager: EntityManager) {}

  async open(): Promise<void> {
    await this.close();
    await this.manager.query(sql.createStaging);
  }

  async close(): Promise<void> {
    await this.manager.query('DROP TABLE IF EXISTS pg_temp.staged_accounts');
  }

  /** Adds accounts; one that is there already is left as it is. */
  async add(accounts: readonly Account[]): Promise<void> {
    const staged = accounts.map(toStaged);
    const unusable = staged.filter(({ subject, conflict }) => conflict && (subject === '' || !isStorable(subject)));
    for (const { subject, conflict } of unusable) {
      this.unusable.push({ subject: storableText(subject), reason: conflict ?? '' });
    }
    const usable = staged.filter((each) => !unusable.includes(each));
    await this.manager.query(sql.stage, [JSON.stringify(usable)]);
  }

  /** Says that no more accounts come, so that what follows is fast. */
  async complete(): Promise<void> {
    for (const statement of sql.indexStaging) await this.manager.query(statement);
  }

  /** Active people whose account was not added, and how many active people have an account at all. */
  async findUnlisted(): Promise<{ unlisted: UnlistedUser[]; linked: number }> {
    const unlisted = await this.manager.query<UnlistedUser[]>(sql.findUnlisted);
    const [{ linked }] = await this.manager.query<[{ linked: number }]>(sql.countLinked);
    return { unlisted, linked };
  }

  /**
   * Makes the users what the accounts say. Call it in a transaction: nobody else writes users until it ends.
   *
   * @param gone ids of people whose account is known to be gone
   */
  async apply(gone: readonly number[]): Promise<StagingResult> {
    await this.manager.query(`SELECT set_config('catalog.actor', 'idp-sync', true)`);
    await this.manager.query('LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE');
    await this.match();
    await this.manager.query(sql.markChanged);
    await this.manager.query(sql.freeEmails);
    const [{ ids }] = await this.manager.query<[{ ids: number[] }]>(sql.updateUsers);
    const [{ created }] = await this.manager.query<[{ created: number }]>(sql.createUsers);
    const [{ deactivated }] = await this.manager.query<[{ deactivated: number }]>(sql.deactivateUsers, [gone]);
    const [{ activated }] = await this.manager.query<[{ activated: number }]>(sql.activateAccesses);
    const [staged] = await this.manager.query<[{ eligible: number; disabled: number; skipped: number }]>(
      sql.countStaged,
    );
    const conflicts = await this.manager.query<SyncConflict[]>(sql.listConflicts);
    const newlyDisabled = deactivated - gone.length;
    return {
      created,
      updated: ids.length,
      unchanged: staged.eligible - ids.length - created + staged.disabled - Math.max(0, newlyDisabled),
      deactivated,
      skipped: staged.skipped,
      activated,
      conflicts: [...this.unusable, ...conflicts],
      changedUsers: ids,
    };
  }

  private async match(): Promise<void> {
    await this.manager.query(sql.matchBySubject);
    await this.manager.query(sql.matchByEmail);
    await this.manager.query(sql.skipUnknownDisabled);
    await this.manager.query(sql.refuseSharedEmails);
    for (let round = 0; round < maxRounds; round++) {
      const [, refused] = await this.manager.query<[unknown, number]>(sql.refuseTakenEmails);
      if (refused === 0) return;
    }
  }
}
