import type { IndexedRecords } from './record-index.js';
import type { ImportEnding, ImportKind, ImportRecord, ImportRequest, ImportStatus } from './import-record.js';

/** What came of asking for an import. */
export interface OpenedRequest {
  readonly request: ImportRequest;
  /** False when an import of the same subject was open already, or of its twin: that one is returned. */
  readonly isNew: boolean;
}

/** Under which requests are open, one for each subject. A dataset is imported or withdrawn: never both at once. */
export const requestSlots = ['dataset', 'submission', 'verify'] as const;
export type RequestSlot = (typeof requestSlots)[number];

/** What lists show of an open request. */
export type OpenRequest = Pick<ImportRequest, 'id' | 'kind' | 'subject'>;

/** An ending without from where it was asked for, which the import log alone holds. */
export type LatestEnding = Omit<ImportEnding, 'requested_from'>;

/** What lists show of an ending that was not `finished`. */
export type LastFailure = Pick<ImportEnding, 'id' | 'kind' | 'subject' | 'state' | 'fingerprint'>;

/**
 * What was asked for and what became of it, kept in storage: it survives the loss of the queue.
 *
 * An import is open from the moment its request is there until its ending is. There is never more than one open
 * request for a subject, however many processes ask at once: an import of a dataset and its withdrawal count as one,
 * a verification beside them as another. Nor is there for two subjects that differ by case only, verifications aside.
 */
export abstract class RequestLog {
  /**
   * Opens a request unless one is open for the same kind and subject, or for a twin of the subject.
   *
   * @returns null when this very attempt has ended already
   */
  abstract open(request: ImportRequest): Promise<OpenedRequest | null>;

  /**
   * Takes back a request whose job could not be queued, as if it had never been made. One that another caller was given
   * meanwhile stays open: they were told that it is accepted.
   */
  abstract revoke(request: ImportRequest): Promise<void>;

  /** The open request of a subject or of its twin, or null. One whose ending is there already is closed on the way. */
  abstract findOpen(kind: ImportKind, subject: string): Promise<ImportRequest | null>;

  /** Every open request, oldest first. Ends, on the way, those whose ending is there already. */
  abstract listOpen(): Promise<readonly ImportRequest[]>;

  /** An import by its id, open or ended; null when there is none. */
  abstract find(id: string): Promise<ImportRecord | null>;

  /** Notes how far a running import is; may be lost. */
  abstract saveStatus(request: ImportRequest, status: ImportStatus): Promise<void>;

  /** Asks whoever runs it to stop. */
  abstract requestCancel(request: ImportRequest): Promise<void>;

  /** Whether whoever runs it should stop: it is cancelled, or has ended without them. */
  abstract isStopRequested(request: ImportRequest): Promise<boolean>;

  /** Writes how an import ended, and closes its request. Twice is once, and the first word stands. */
  abstract end(ending: ImportEnding): Promise<void>;

  /** The latest ending of a subject that did not leave it imported: not `finished`, or a withdrawal. */
  abstract findLastFailure(kind: ImportKind, subject: string): Promise<LatestEnding | null>;

  /** The latest endings of all subjects of a slot, by subject. Served from memory while storage's listing is unchanged. */
  abstract lastFailures(slot: RequestSlot): Promise<IndexedRecords<LastFailure>>;

  /** The open requests of a slot by subject, also those whose ending is there already. From memory as well. */
  abstract openRequests(slot: RequestSlot): Promise<IndexedRecords<OpenRequest>>;

  /** Ended imports, the newest first, from those older than `before` (an import id). */
  abstract listEnded(before: string | null): AsyncIterable<ImportEnding>;
}
