import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { StoredDocuments } from '../../publishing/documents/stored-documents.js';
import { AccountStaging } from './account-staging.js';
import type { AccountSync } from './account-sync.entity.js';
import { importKnownOrNew } from './account-import.sql.js';
import type { Account } from '../identity-provider/identity-provider.js';
import { toStaged } from './staged-accounts.js';
import type { SyncReport } from './sync-report.js';

/** The time that the import of one account waits for other writers of users, such as a synchronisation. */
const lockTimeoutMs = 500;

/** The delay to the next attempt doubles each time, up to one hour. */
const claimDue = `
  UPDATE accesses
     SET attempts = attempts + 1, updated_at = now(),
         next_attempt_at = now() + least(interval '1 hour', interval '2 seconds' * 2 ^ least(attempts, 12))
   WHERE id IN (SELECT id FROM accesses WHERE status = 'precreated' AND NOT confirmation_due
                                            AND next_attempt_at <= now()
                 ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING subject`;

/** The statements about users and their accounts. */
@Injectable()
export class AccountsRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly documents: StoredDocuments,
  ) {}

  /**
   * Imports one account like a synchronisation, and activates the accesses that waited for it.
   *
   * @param timeoutMs the time to wait for other writers of users before Postgres reports an error
   * @returns whether the account belongs to an active user now
   */
  async importAccount(account: Account, timeoutMs = lockTimeoutMs): Promise<boolean> {
    return (await this.importKnownOrNew(account, timeoutMs)) || this.importThroughStaging(account, timeoutMs);
  }

  /**
   * Claims up to `limit` accesses whose next attempt is due, and returns their subjects. Only one replica gets each access.
   * If the replica fails, the access is due again later.
   */
  async claimDue(limit: number): Promise<Set<string>> {
    const [rows] = await this.dataSource.query<[{ subject: string }[], number]>(claimDue, [limit]);
    return new Set(rows.map(({ subject }) => subject));
  }

  /** Returns the latest successful synchronisation; null if there is none. */
  async findLatestSync(): Promise<Pick<AccountSync, 'finishedAt' | 'report'> | null> {
    const [row] = await this.dataSource.query<{ finished_at: Date; report: SyncReport }[]>(
      'SELECT finished_at, report FROM account_syncs ORDER BY id DESC LIMIT 1',
    );
    return row ? { finishedAt: row.finished_at, report: row.report } : null;
  }

  private importKnownOrNew(account: Account, timeoutMs: number): Promise<boolean> {
    const { subject, email, first_name, last_name, enabled, skipped, conflict } = toStaged(account);
    if (!enabled || skipped || conflict !== null) return Promise.resolve(false);
    return this.inTransaction(timeoutMs, async (manager) => {
      const person = [subject, email, first_name, last_name];
      const [{ adopted }] = await manager.query<[{ adopted: boolean }]>(importKnownOrNew, person);
      return adopted;
    });
  }

  private importThroughStaging(account: Account, timeoutMs: number): Promise<boolean> {
    return this.inTransaction(timeoutMs, async (manager) => {
      const staging = new AccountStaging(manager);
      await staging.open();
      await staging.add([account]);
      const { changedUsers, conflicts } = await staging.apply([]);
      await staging.close();
      const [user] = await manager.query<{ active: boolean }[]>('SELECT active FROM users WHERE subject = $1', [
        account.subject,
      ]);
      if (changedUsers.length > 0) await this.documents.refresh(manager, { users: changedUsers });
      return conflicts.length === 0 && user?.active === true;
    });
  }

  private inTransaction<T>(timeoutMs: number, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction(async (manager) => {
      await manager.query(`SET LOCAL lock_timeout = ${String(timeoutMs)}`);
      return work(manager);
    });
  }
}
