import type { IndexedRecords } from './record-index.js';
import type { ImportEnding, ImportKind, ImportRecord, ImportRequest, ImportStatus } from './import-record.js';

/** The result of opening a request. */
export interface OpenedRequest {
  readonly request: ImportRequest;
  /**
   * Whether the call created the request. If false, `request` was already open for the subject or a case variant of it.
   */
  readonly isNew: boolean;
}

/**
 * The slots for open requests. Each subject has at most one open request in a slot. Imports, withdrawals and purges of
 * datasets share a slot, so that they never run at the same time. A plan is in a separate slot, because it changes
 * nothing.
 */
export const requestSlots = ['dataset', 'submission', 'verify', 'plan'] as const;
export type RequestSlot = (typeof requestSlots)[number];

/** The part of an open request that lists show. */
export type OpenRequest = Pick<ImportRequest, 'id' | 'kind' | 'subject'>;

/** The kinds of imports whose latest ending the log keeps. */
export type RecordedSlot = Exclude<RequestSlot, 'plan'>;

/** An ending without the address of the caller, which is stored only in the import log. */
export type LatestEnding = Omit<ImportEnding, 'requested_from'>;

/** The part of an unsuccessful ending that lists show. */
export type LastFailure = Pick<ImportEnding, 'id' | 'kind' | 'subject' | 'state' | 'fingerprint'>;

/** Whether a subject was rejected in a state. An incomplete delivery is rejected without a fingerprint. */
export function isRejectedAs(
  last: Pick<LastFailure, 'state' | 'fingerprint'> | null | undefined,
  rejectionKey: string,
): boolean {
  return last?.state === 'rejected' && last.fingerprint === rejectionKey;
}

/**
 * The requests for imports and their endings, kept in storage. The log survives the loss of the queue.
 *
 * An import is open from the creation of its request until its ending is recorded. Each slot contains at most one open
 * request for a subject, even if several processes open requests concurrently. In the slots of imports, subjects whose
 * ids differ only by case count as one subject.
 *
 * Every method throws StorageFailure if the storage fails; `failureOf` states which failures may be retried. Every
 * method may be called again, with the same arguments, after a failure or a crash.
 */
export abstract class RequestLog {
  /**
   * Opens a request. If a request of the same slot is open for the subject or a case variant, returns that request.
   *
   * @returns null if this attempt of the import has already ended
   */
  abstract open(request: ImportRequest): Promise<OpenedRequest | null>;

  /**
   * Removes a new request whose job could not be queued. If `open` has also returned the request to another caller, the
   * request stays open. Does nothing if the request does not exist.
   */
  abstract revoke(request: ImportRequest): Promise<void>;

  /**
   * Finds the open request of a subject or of a case variant. Closes a request whose ending is already recorded.
   *
   * @returns null if no request is open
   */
  abstract findOpen(kind: Exclude<ImportKind, 'plan'>, subject: string): Promise<ImportRequest | null>;

  /** Returns every open request, oldest first. Closes requests whose endings are already recorded. */
  abstract listOpen(): Promise<readonly ImportRequest[]>;

  /** Finds an open or ended import by its id. @returns null if no import has the id */
  abstract find(id: string): Promise<ImportRecord | null>;

  /** Finds the ending of one attempt at an import that is no plan. @returns null if the attempt has not ended */
  abstract findEnding(id: string, attempt: number): Promise<ImportEnding | null>;

  /**
   * Records the status of a running import. A power failure may lose the change. Does nothing if the import has ended.
   */
  abstract saveStatus(request: ImportRequest, status: ImportStatus): Promise<void>;

  /**
   * Records that a client reads the status of a running import, so that its worker writes the status more often. A power
   * failure may lose the change. Does nothing if the import has ended.
   */
  abstract recordWatch(request: ImportRequest): Promise<void>;

  /** Returns a text that each `recordWatch` of the import changes; null if no client has read its status. */
  abstract findWatch(request: ImportRequest): Promise<string | null>;

  /** Requests the worker of an import to stop. Does nothing if this attempt of the import has ended. */
  abstract requestCancel(request: ImportRequest): Promise<void>;

  /** Whether the worker of an import must stop, because the import was cancelled or has ended. */
  abstract isStopRequested(request: ImportRequest): Promise<boolean>;

  /** Records the ending of an attempt and closes its request. If an ending is already recorded, that ending is kept. */
  abstract end(ending: ImportEnding): Promise<void>;

  /**
   * Finds the latest ending of a subject if that ending was unsuccessful or a withdrawal.
   *
   * @returns null if there is none
   */
  abstract findLastFailure(kind: ImportKind, subject: string): Promise<LatestEnding | null>;

  /** Returns the results of `findLastFailure` for all subjects of a slot. Reads only records that have changed. */
  abstract lastFailures(slot: RecordedSlot): Promise<IndexedRecords<LastFailure>>;

  /**
   * Returns the open requests of a slot, by subject, or by id for plans. The result may contain requests whose endings are already
   * recorded. Reads only records that have changed.
   */
  abstract openRequests(slot: RequestSlot): Promise<IndexedRecords<OpenRequest>>;

  /** Yields ended imports except plans, newest first. @param before yields only older imports; null for all */
  abstract listEnded(before: string | null): AsyncIterable<ImportEnding>;

  /** Yields ended plans, newest first. @param before yields only older plans; null for all */
  abstract listPlans(before: string | null): AsyncIterable<ImportEnding>;

  /** Removes ended plans whose day is before the day of an instant. */
  abstract removePlansBefore(instant: Date): Promise<void>;
}
