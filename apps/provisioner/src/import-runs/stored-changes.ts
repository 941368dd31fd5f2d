import { Injectable } from '@nestjs/common';
import type { Commit } from '../model/commit.js';
import { ImportFailure } from '../model/failure.js';
import { resultOf, type ImportEnding, type ImportRequest, type ImportResult } from '../model/import-record.js';
import { Storage } from '../model/storage.js';
import { isPurged, WithdrawalLog, withdrawalOf } from '../model/withdrawal-log.js';
import { PostImportTasks } from '../post-import/post-import-tasks.js';
import { failpoint } from '../process/failpoint.js';
import { reportOf } from './ending-reporter.js';

/**
 * The changes of what the storage shows: imports, withdrawals and purges, with the records and tasks that follow each.
 * Every method may be called again after a crash.
 */
@Injectable()
export class StoredChanges {
  constructor(
    private readonly storage: Storage,
    private readonly withdrawals: WithdrawalLog,
    private readonly tasks: PostImportTasks,
  ) {}

  /** Records the tasks that follow an import. */
  recordImport(request: ImportRequest, commit: Commit): Promise<void> {
    return this.tasks.recordChange(request.id, commit);
  }

  /** Records that the ending must be reported to the catalog. The ending itself is written afterwards. */
  async recordEnding(ending: ImportEnding): Promise<void> {
    if (reportOf(ending)) await this.tasks.recordEnding(ending.id, ending.attempt);
  }

  /** Withdraws a dataset. @throws NothingToWithdrawError if the import to withdraw is no longer stored */
  async withdraw(request: ImportRequest): Promise<ImportResult> {
    const { path, commit } = await this.storage.withdraw(request.subject, request.withdraws ?? '', request.id);
    await this.withdrawals.record(withdrawalOf(request, commit, path));
    await this.tasks.recordChange(request.id, commit);
    return resultOf(commit, path);
  }

  /** Whether a start of the purge has begun to remove files. */
  async isPurgeStarted({ id, purges = '' }: ImportRequest): Promise<boolean> {
    return (await this.withdrawals.find(purges))?.purge?.import_id === id;
  }

  /**
   * Removes the files of a withdrawn dataset. The record of the withdrawal stays, with the purge.
   *
   * @throws ImportFailure if the log does not contain the withdrawal
   */
  async purge({ id, subject, purges = '', requested_by, reason = '' }: ImportRequest): Promise<ImportResult> {
    const withdrawal = await this.withdrawals.find(purges);
    if (withdrawal?.dataset !== subject.id) {
      throw new ImportFailure('not_imported', `${subject.id} has no withdrawal ${purges}; there is nothing to purge.`);
    }
    const purge = { import_id: id, requested_by, reason, started_at: new Date().toISOString() };
    if (!isPurged(withdrawal)) {
      await this.withdrawals.recordPurge(withdrawal, { ...purge, purged_at: null });
      await this.storage.purge(subject, withdrawal.id);
      failpoint('after_purge');
      await this.withdrawals.recordPurge(withdrawal, { ...purge, purged_at: new Date().toISOString() });
    }
    const { path, files, bytes, manifest_sha256 } = withdrawal;
    return { path, files, bytes, manifest_sha256, integrity: null };
  }
}
