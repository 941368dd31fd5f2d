import type { Subject } from '../model/identifier.js';

/** An import that a run queued. */
export interface QueuedImport {
  readonly subject: Subject;
  readonly import_id: string;
}

/** The report of an import of the whole diff. */
export interface ImportAllReport {
  readonly id: string;
  readonly trigger: 'schedule' | 'request';
  readonly requested_by: string;
  readonly started_at: string;
  readonly finished_at: string;
  readonly queued: readonly QueuedImport[];
  /** The number of skipped places by reason: an error code, `importing` or `withdrawn`. */
  readonly skipped: Readonly<Record<string, number>>;
  /** The error that stopped the run, or null. */
  readonly error: string | null;
}
