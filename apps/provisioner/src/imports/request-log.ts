import type { ImportEnding, ImportKind, ImportRecord, ImportRequest, ImportStatus } from './import-record.js';

/** What came of asking for an import. */
export interface OpenedRequest {
  readonly request: ImportRequest;
  /** False when an import of the same subject was open already: that one is returned. */
  readonly isNew: boolean;
}

/**
 * What was asked for and what became of it, kept in storage: it survives the loss of the queue.
 *
 * An import is open from the moment its request is there until its ending is. There is never more than one open
 * request for a subject, however many processes ask at once.
 */
export abstract class RequestLog {
  /** Opens a request unless one is open for the same kind and subject. */
  abstract open(request: ImportRequest): Promise<OpenedRequest>;

  /** Takes back a request whose job could not be queued, as if it had never been made. */
  abstract withdraw(request: ImportRequest): Promise<void>;

  /** The open request of a subject, or null. */
  abstract findOpen(kind: ImportKind, subject: string): Promise<ImportRequest | null>;

  /** Every open request, oldest first. Ends, on the way, those whose ending is there already. */
  abstract listOpen(): Promise<readonly ImportRequest[]>;

  /** An import by its id, open or ended; null when there is none. */
  abstract find(id: string): Promise<ImportRecord | null>;

  /** Notes how far a running import is; may be lost. */
  abstract noteStatus(request: ImportRequest, status: ImportStatus): Promise<void>;

  /** Asks whoever runs it to stop. */
  abstract requestCancel(request: ImportRequest): Promise<void>;

  abstract isCancelRequested(id: string): Promise<boolean>;

  /** Writes how an import ended, and closes its request. Twice is once. */
  abstract end(ending: ImportEnding): Promise<void>;

  /** The latest ending of a subject, when it was not `finished`. */
  abstract findLastFailure(kind: ImportKind, subject: string): Promise<ImportEnding | null>;

  /** The same for every subject of a kind that has one. */
  abstract listLastFailures(kind: ImportKind): Promise<ReadonlyMap<string, ImportEnding>>;

  /** Ended imports, the newest first, from those older than `before` (an import id). */
  abstract listEnded(before: string | null): AsyncIterable<ImportEnding>;
}
