import { RecordIndex, type IndexedRecords } from './record-index.js';
import { readRecord, type Records } from './records.js';
import type { Commit } from './commit.js';
import type { ImportRequest } from './import-record.js';

/** The folder below `data/` with one record for each withdrawal. */
const folder = '.requests/withdrawn';

/** A deletion of the files of a withdrawn dataset. */
export interface Purge {
  readonly import_id: string;
  readonly requested_by: string;
  readonly reason: string;
  readonly started_at: string;
  /** Null while files may remain. */
  readonly purged_at: string | null;
}

/** A withdrawal of a dataset. The record stays when the withdrawn files are purged. */
export interface Withdrawal {
  /** The import id of the withdrawal. */
  readonly id: string;
  readonly dataset: string;
  readonly submission: string;
  readonly reason: string;
  readonly requested_by: string;
  readonly withdrawn_at: string;
  /** The path to which the dataset was moved, as shown to callers. */
  readonly path: string;
  /** The import that had published the dataset. */
  readonly import_id: string;
  readonly imported_at: string;
  readonly files: number;
  readonly bytes: number;
  readonly manifest_sha256: string;
  readonly purge: Purge | null;
}

/** Whether all files of a withdrawal are removed. */
export function isPurged({ purge }: Withdrawal): boolean {
  return purge?.purged_at != null;
}

/** Returns the record of a withdrawal that has just moved a dataset to a path. */
export function withdrawalOf(request: ImportRequest, commit: Commit, path: string): Withdrawal {
  return {
    id: request.id,
    dataset: commit.id,
    submission: commit.source.submission,
    reason: request.reason ?? '',
    requested_by: request.requested_by,
    withdrawn_at: new Date().toISOString(),
    path,
    import_id: commit.import_id,
    imported_at: commit.imported_at,
    files: commit.content.files,
    bytes: commit.content.bytes,
    manifest_sha256: commit.content.manifest_sha256,
    purge: null,
  };
}

/** The log of withdrawals in storage. It contains no names of files. */
export class WithdrawalLog {
  private readonly index: RecordIndex<Withdrawal>;

  constructor(private readonly records: Records) {
    this.index = new RecordIndex(
      records,
      folder,
      (text) => JSON.parse(text) as Withdrawal,
      ({ id }) => id,
    );
  }

  /** Returns all withdrawals by their ids. Reads only records that have changed. */
  all(): Promise<IndexedRecords<Withdrawal>> {
    return this.index.all();
  }

  /** Returns a withdrawal. @returns null if the log does not contain it */
  find(id: string): Promise<Withdrawal | null> {
    return readRecord<Withdrawal>(this.records, fileOf(id));
  }

  /** Records a withdrawal. Does nothing if it is recorded already, because it may have been purged since. */
  async record(withdrawal: Withdrawal): Promise<void> {
    await this.records.create(fileOf(withdrawal.id), textOf(withdrawal));
  }

  /** Records the start or the end of a purge. */
  async recordPurge(withdrawal: Withdrawal, purge: Purge): Promise<void> {
    await this.records.write(fileOf(withdrawal.id), textOf({ ...withdrawal, purge }));
  }
}

function fileOf(id: string): string {
  return `${folder}/${id}.json`;
}

function textOf(withdrawal: Withdrawal): string {
  return `${JSON.stringify(withdrawal, null, 2)}\n`;
}
