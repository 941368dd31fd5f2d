import type { SubjectKind } from '../model/identifier.js';

/** One import that a run has queued. */
export interface QueuedImport {
  readonly kind: SubjectKind;
  readonly subject: string;
  readonly import_id: string;
}

/** What came of importing everything in the diff. */
export interface ImportAllReport {
  readonly id: string;
  readonly trigger: 'schedule' | 'request';
  readonly requested_by: string;
  readonly started_at: string;
  readonly finished_at: string;
  readonly queued: readonly QueuedImport[];
  /** How many were left alone, by why: an error code, `importing` or `withdrawn`. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Why the run stopped before its end, if it did. */
  readonly error: string | null;
}
