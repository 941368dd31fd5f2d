import type { EntityManager } from 'typeorm';
import * as sql from './account-staging.sql.js';
import type { Account } from '../identity-provider/identity-provider.js';
import { isStorable, storableText, toStaged } from './staged-accounts.js';
import type { DeactivatedPerson, SyncConflict } from './sync-report.js';

/** A user whose account was not listed. */
export interface UnlistedUser {
  readonly id: number;
  readonly subject: string;
}

/** The result of importing staged accounts. */
export interface StagingResult {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly deactivated: number;
  readonly skipped: number;
  /** The number of accesses that waited for one of the people and were activated. */
  readonly activated: number;
  readonly conflicts: readonly SyncConflict[];
  /** The first thousand of the deactivated people. */
  readonly deactivatedPeople: readonly DeactivatedPerson[];
  /** Ids of users whose name, address or state changed. */
  readonly changedUsers: readonly number[];
}

/** The bound of a loop whose rounds refuse accounts because of earlier refusals. Real chains are far shorter. */
const maxRounds = 1000;

/**
 * Accounts in a temporary table of one connection, before they become users. Memory holds at most two pages of accounts.
 * Each step is one statement.
 */
export class AccountStaging {
  private unusable: SyncConflict[] = [];

  /** @param manager the manager of one connection */
  constructor(private readonly manager: EntityManager) {}

  async open(): Promise<void> {
    await this.close();
    await this.manager.query(sql.createStaging);
  }

  async close(): Promise<void> {
    await this.manager.query('DROP TABLE IF EXISTS pg_temp.staged_accounts');
  }

  /** Adds accounts. Ignores accounts that were added before. */
  async add(accounts: readonly Account[]): Promise<void> {
    const staged = accounts.map(toStaged);
    const unusable = staged.filter(({ subject, conflict }) => conflict && (subject === '' || !isStorable(subject)));
    for (const { subject, conflict } of unusable) {
      this.unusable.push({ subject: storableText(subject), reason: conflict ?? '' });
    }
    const usable = staged.filter((each) => !unusable.includes(each));
    await this.manager.query(sql.stage, [JSON.stringify(usable)]);
  }

  /** Creates indexes after the last account was added. */
  async complete(): Promise<void> {
    for (const statement of sql.indexStaging) await this.manager.query(statement);
  }

  /** Returns the active users whose account was not added, and the number of active users with an account. */
  async findUnlisted(): Promise<{ unlisted: UnlistedUser[]; linked: number }> {
    const unlisted = await this.manager.query<UnlistedUser[]>(sql.findUnlisted);
    const [{ linked }] = await this.manager.query<[{ linked: number }]>(sql.countLinked);
    return { unlisted, linked };
  }

  /**
   * Updates users to match the staged accounts. Call this method in a transaction. Until the transaction ends, no other
   * transaction can write users.
   *
   * @param gone the ids of users whose account no longer exists
   */
  async apply(gone: readonly number[]): Promise<StagingResult> {
    await this.manager.query(`SELECT set_config('catalog.actor', 'idp-sync', true)`);
    await this.manager.query('LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE');
    await this.match();
    await this.manager.query(sql.markChanged);
    await this.manager.query(sql.freeEmails);
    const [{ ids }] = await this.manager.query<[{ ids: number[] }]>(sql.updateUsers);
    const [{ created }] = await this.manager.query<[{ created: number }]>(sql.createUsers);
    await this.manager.query(sql.confirmUsers);
    const [{ deactivated, people }] = await this.manager.query<[{ deactivated: number; people: DeactivatedPerson[] }]>(
      sql.deactivateUsers,
      [gone],
    );
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
      deactivatedPeople: people,
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
