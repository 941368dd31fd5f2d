import { Injectable } from '@nestjs/common';
import { UnknownRecordError } from '@rdc/errors';
import { ulid } from 'ulid';
import { ImportQueue } from '../queue/import-queue.js';
import { thisAgent } from '../process/software-agent.js';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { isIdentifier, type Subject } from '../model/identifier.js';
import { SourceIndex } from '../source/source-index.js';
import { SourceScan } from '../scan/source-scan.js';
import type { SourcePlace } from '../model/source-system.js';
import { headOf, type Commit } from '../model/commit.js';
import { hasChangedSince, type PlaceSummary } from '../model/place-summary.js';
import { Storage } from '../model/storage.js';
import {
  duplicateInSource,
  caseVariantInStorage,
  caseVariantsInSource,
  caseVariantUnderWay,
  type IdCollision,
} from '../model/id-collision.js';
import { shortPlanOf } from '../model/import-plan.js';
import type { ImportKind, ImportRecord, ImportRequest } from '../model/import-record.js';
import { isRejectedAs, RequestLog } from '../model/request-log.js';
import { recordOfCommit, toImportResponse } from './build-import-response.js';
import type { ImportResponse } from './import.response.js';
import {
  ChangedSinceImportError,
  DuplicateIdError,
  InvalidIdError,
  NoSpaceError,
  NotReadyError,
  OtherUnderWayError,
  RejectedError,
} from './imports.errors.js';

/** The requester and the options of an import. */
export interface RequestOptions {
  readonly requested_by: string;
  readonly requested_from: string;
  readonly priority?: number;
  readonly not_before?: string;
}

/** The result of a submission: the new import, the one that is under way, or the finished one. */
export interface SubmitResult {
  /** Whether the import is under way. False if the subject is imported already. */
  readonly isUnderWay: boolean;
  readonly import: ImportResponse;
}

/**
 * Submits imports, verifications and withdrawals. However many callers submit a subject at the same time, there is one
 * import. If the import that a submission joins ends in the meantime, the submission starts again.
 */
@Injectable()
export class ImportRequests {
  constructor(
    private readonly index: SourceIndex,
    private readonly scan: SourceScan,
    private readonly storage: Storage,
    private readonly log: RequestLog,
    private readonly queue: ImportQueue,
    private readonly settings: ProvisionerSettings,
  ) {}

  /**
   * Submits the import of a dataset or of the documents of a submission.
   *
   * @throws UnknownRecordError, NotReadyError, ChangedSinceImportError, RejectedError, DuplicateIdError, InvalidIdError,
   *   NoSpaceError, DependencyDownError
   */
  async submit(subject: Subject, options: RequestOptions): Promise<SubmitResult> {
    const { place, caseVariants } = await this.locate(subject);
    // An imported subject stays imported when a case variant appears in the source.
    if (caseVariants.length > 0 && !(await this.storage.findCommit(subject))) {
      throw new DuplicateIdError(caseVariantsInSource(place, caseVariants));
    }
    return this.submitPlace(place, options);
  }

  /**
   * Submits the import of a place, which must be the only place of its subject.
   *
   * @param scanned a summary of the place that is later than the latest scan
   * @throws as `submit` does
   */
  async submitPlace(place: SourcePlace, options: RequestOptions, scanned?: PlaceSummary): Promise<SubmitResult> {
    for (;;) {
      const result = await this.submitPlaceOnce(place, options, scanned);
      if (result) return result;
    }
  }

  /**
   * Submits the plan of an import. A plan has the id of an import and its plan is its result. It changes nothing.
   *
   * @param datasets the datasets that are planned together with a submission
   * @throws UnknownRecordError, DuplicateIdError, InvalidIdError, DependencyDownError
   */
  async submitPlan(
    subject: Subject,
    requester: RequestOptions,
    datasets?: ImportRequest['datasets'],
  ): Promise<SubmitResult> {
    await this.locate(subject);
    const { requested_by, requested_from } = requester;
    for (;;) {
      const requested_at = new Date().toISOString();
      const request = { id: ulid(), kind: 'plan', subject, plans: subject.kind, attempt: 1, requested_at } as const;
      const origin = { requested_by, requested_from, accepted_by: thisAgent };
      const result = await this.submitOnce({ ...request, ...origin, ...(datasets && { datasets }) });
      if (result) return result;
    }
  }

  toResponse(record: ImportRecord): ImportResponse {
    return toImportResponse(record, this.settings.BASE_PATH);
  }

  /** Returns the response of an import in a list. Its plan is short. */
  toListed(record: ImportRecord): ImportResponse {
    const response = this.toResponse(record);
    return Object.assign(response, { plan: response.plan && shortPlanOf(response.plan) });
  }

  /**
   * Submits an operation without inspecting the source. If the previous import of the subject failed, the submission is
   * its next attempt.
   *
   * @throws as `submitOnce` does
   */
  async enqueue(kind: ImportKind, subject: Subject, options: RequestOptions): Promise<SubmitResult> {
    for (;;) {
      const failure = await this.log.findLastFailure(kind, subject.id);
      const isRetry = failure?.state === 'failed' && failure.kind === kind;
      const result = await this.submitOnce({
        id: isRetry ? failure.id : ulid(),
        kind,
        subject,
        attempt: isRetry ? failure.attempt + 1 : 1,
        requested_at: new Date().toISOString(),
        accepted_by: thisAgent,
        ...options,
      });
      if (result) return result;
    }
  }

  /**
   * Submits the withdrawal of an imported dataset.
   *
   * @throws UnknownRecordError if the dataset is not imported, OtherUnderWayError, DependencyDownError
   */
  async withdraw(id: string, reason: string, options: RequestOptions): Promise<SubmitResult> {
    const subject = { kind: 'dataset', id } as const;
    for (;;) {
      const commit = isIdentifier(id) ? await this.storage.findCommit(subject) : null;
      if (!commit) throw new UnknownRecordError('imported dataset', id);
      const requested_at = new Date().toISOString();
      const request = { id: ulid(), kind: 'withdraw', subject, attempt: 1, requested_at, ...options } as const;
      const result = await this.submitOnce({ ...request, accepted_by: thisAgent, reason, withdraws: commit.import_id });
      if (result) return result;
    }
  }

  /**
   * Records a request and then queues it. If a request of the subject is open, the submission joins it and raises its
   * priority to the submitted one. If the queue is down, a new request is retracted.
   *
   * @returns null if the submitted attempt has ended in the meantime
   * @throws DuplicateIdError, OtherUnderWayError, DependencyDownError
   */
  async submitOnce(submitted: ImportRequest): Promise<SubmitResult | null> {
    const opened = await this.log.open(submitted);
    if (!opened) return null;
    const { request, isNew } = opened;
    const { id } = submitted.subject;
    if (request.subject.id !== id) throw new DuplicateIdError(caseVariantUnderWay(id, request));
    if (request.kind !== submitted.kind) throw new OtherUnderWayError(request);
    try {
      await this.queue.add(request);
      if (!isNew) await this.queue.raisePriority(request, submitted.priority);
    } catch (error) {
      if (isNew) await this.log.revoke(request);
      throw error;
    }
    const record = await this.log.find(request.id);
    const response = this.toResponse(record ?? { request, ending: null, status: null, cancelling: false });
    return { isUnderWay: true, import: response };
  }

  /** Submits a place once. @returns null if the open import of the subject has ended in the meantime */
  private async submitPlaceOnce(
    place: SourcePlace,
    options: RequestOptions,
    scanned: PlaceSummary | undefined,
  ): Promise<SubmitResult | null> {
    const subject: Subject = { kind: place.kind, id: place.id };
    const commit = await this.storage.findCommit(subject);
    if (commit) {
      // The members of a collection may change.
      if (commit.kind === 'dataset') await this.checkSame(commit, place, scanned);
      return this.resultOf(commit, options);
    }
    const open = await this.log.findOpen(subject.kind, subject.id);
    const clash = await this.clashInStorage(subject, open);
    if (clash) throw new DuplicateIdError(clash);
    if (open?.kind === 'withdraw') throw new OtherUnderWayError(open);
    if (open) return this.submitOnce({ ...open, priority: options.priority });
    await this.withKnown(place, scanned, (known) => this.checkKnown(place, known));
    return this.enqueue(subject.kind, subject, options);
  }

  /**
   * Returns the result for an imported subject. If the import failed after the publication, the next attempt only
   * completes the publication.
   */
  private async resultOf(commit: Commit, options: RequestOptions): Promise<SubmitResult> {
    const record = (await this.log.find(commit.import_id)) ?? recordOfCommit(commit, this.storage);
    const { kind, id } = commit;
    if (record.ending?.state === 'failed') return this.enqueue(kind, { kind, id }, options);
    return { isUnderWay: record.ending === null, import: this.toResponse(record) };
  }

  private async locate({ kind, id }: Subject): Promise<{ place: SourcePlace; caseVariants: readonly SourcePlace[] }> {
    const { places, caseVariants } = await this.index.find({ kind, id });
    const [place] = places;
    if (places.length > 1) throw new DuplicateIdError(duplicateInSource(id, places));
    if (place) return { place, caseVariants };
    const [named] = await this.index.findNamed({ kind, id });
    if (named) throw new InvalidIdError(isIdentifier(id) ? named.submission : id);
    throw new UnknownRecordError(kind, id);
  }

  /** Finds a case variant of the id that is imported or under way. */
  private async clashInStorage(subject: Subject, open: ImportRequest | null): Promise<IdCollision | null> {
    if (open) return open.subject.id === subject.id ? null : caseVariantUnderWay(subject.id, open);
    const twin = await this.storage.findCaseVariant(subject);
    return twin && caseVariantInStorage(subject, twin);
  }

  /**
   * Checks that no walk has found a change of a dataset since its import. If a look shows that the latest scan is
   * outdated, the dataset is walked for half a second.
   */
  private async checkSame(commit: Commit, place: SourcePlace, scanned: PlaceSummary | undefined): Promise<void> {
    await this.withKnown(place, scanned, async (known) => {
      const summary = known ?? (await this.scan.scanBriefly(place));
      if (summary && hasChangedSince(headOf(commit), summary)) throw new ChangedSinceImportError(commit, summary);
    });
  }

  /**
   * Checks whether the import is known to be impossible. Checks the marker, which is one look, and the latest scan. The
   * worker checks everything again when it has walked the delivery.
   */
  private async checkKnown(place: SourcePlace, summary: PlaceSummary | undefined): Promise<void> {
    const { SOURCE_READY, SOURCE_SETTLE, SOURCE_READY_ONLY_MARKER, STORAGE_RESERVE } = this.settings;
    const isSettling = SOURCE_READY_ONLY_MARKER || (summary && Date.now() < summary.readyFrom);
    if (isSettling && !(await this.scan.isMarked(place))) {
      throw new NotReadyError(place.id, SOURCE_READY, SOURCE_SETTLE);
    }
    if (!summary) return;
    const last = await this.log.findLastFailure(place.kind, place.id);
    if (last && isRejectedAs(last, summary.rejectionKey)) throw new RejectedError(last, summary.scannedAt);
    const free = await this.storage.freeSpace();
    const needed = summary.bytes + STORAGE_RESERVE.bytesOf(free);
    if (needed > free.bytes) throw new NoSpaceError(needed, free.bytes);
  }

  /**
   * Checks an import with the latest scan of its place. If the scanned state of the delivery is the reason of a refusal,
   * the place is walked for half a second, because the delivery may have been corrected after the scan.
   */
  private async withKnown(
    place: SourcePlace,
    scanned: PlaceSummary | undefined,
    check: (known: PlaceSummary | undefined) => Promise<void>,
  ): Promise<void> {
    const known = scanned ?? (await this.scan.known(place));
    try {
      await check(known);
    } catch (error) {
      const isDoubtful = known !== undefined && known !== scanned && isOfState(error);
      const present = isDoubtful ? await this.scan.scanBriefly(place) : undefined;
      if (!present) throw error;
      await check(present);
    }
  }
}

/** Whether an import is refused because of the scanned state of its delivery. */
function isOfState(error: unknown): boolean {
  return [NotReadyError, RejectedError, ChangedSinceImportError].some((type) => error instanceof type);
}
