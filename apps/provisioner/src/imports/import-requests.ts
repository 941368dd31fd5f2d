import { Injectable } from '@nestjs/common';
import { UnknownRecordError } from '@rdc/errors';
import { ulid } from 'ulid';
import { ImportQueue } from '../queue/import-queue.js';
import { thisAgent } from '../process/software-agent.js';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { isIdentifier, type Subject } from '../model/identifier.js';
import { SourceIndex } from '../source/source-index.js';
import type { SourceSight } from '../model/source-sight.js';
import type { SourcePlace } from '../model/source-system.js';
import type { Commit } from '../model/commit.js';
import type { PlaceSummary } from '../model/place-summary.js';
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
import { RequestLog } from '../model/request-log.js';
import type { Withdrawal } from '../model/withdrawal-log.js';
import { findWithdrawal } from '../model/withdrawn-datasets.js';
import { recordOfCommit, toImportResponse } from './build-import-response.js';
import type { ImportResponse } from './import.response.js';
import { DuplicateIdError, InvalidIdError, OtherUnderWayError, WithdrawnError } from './imports.errors.js';
import { KnownStateChecks } from './known-state-checks.js';

/** The requester and the options of an import. */
export interface RequestOptions {
  readonly requested_by: string;
  readonly requested_from: string;
  readonly priority?: number;
  readonly not_before?: string;
  /** The delivery as this process sees it. */
  readonly seen?: SourceSight;
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
    private readonly checks: KnownStateChecks,
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
   * @param selection the datasets that are planned together with a submission
   * @throws UnknownRecordError, DuplicateIdError, InvalidIdError, DependencyDownError
   */
  async submitPlan(
    subject: Subject,
    requester: RequestOptions,
    selection: Pick<ImportRequest, 'datasets' | 'reimport_of_withdrawn'> = {},
  ): Promise<SubmitResult> {
    await this.locate(subject);
    const { requested_by, requested_from } = requester;
    for (;;) {
      const requested_at = new Date().toISOString();
      const request = { id: ulid(), kind: 'plan', subject, plans: subject.kind, attempt: 1, requested_at } as const;
      const origin = { requested_by, requested_from, accepted_by: thisAgent };
      const result = await this.submitOnce({ ...request, ...origin, ...selection });
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

  /** Submits the removal of the files of a withdrawn dataset. @throws OtherUnderWayError, DependencyDownError */
  async purge(
    { id: purges, dataset }: Pick<Withdrawal, 'id' | 'dataset'>,
    reason: string,
    options: RequestOptions,
  ): Promise<SubmitResult> {
    const subject = { kind: 'dataset', id: dataset } as const;
    for (;;) {
      const request = {
        id: ulid(),
        kind: 'purge',
        subject,
        attempt: 1,
        requested_at: new Date().toISOString(),
      } as const;
      const result = await this.submitOnce({ ...request, ...options, accepted_by: thisAgent, reason, purges });
      if (result) return result;
    }
  }

  /**
   * Refuses a dataset whose latest operation is its withdrawal. An import that is under way was accepted before.
   *
   * @throws WithdrawnError if the dataset was withdrawn and not imported again
   */
  async requireNotWithdrawn(id: string): Promise<void> {
    const withdrawal = await findWithdrawal(this.log, this.storage, id);
    if (withdrawal) throw new WithdrawnError(withdrawal);
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
      if (commit.kind === 'dataset') await this.checks.checkSame(commit, place, scanned);
      return this.resultOf(commit, options);
    }
    const open = await this.log.findOpen(subject.kind, subject.id);
    const clash = await this.clashInStorage(subject, open);
    if (clash) throw new DuplicateIdError(clash);
    if (open && open.kind !== subject.kind) throw new OtherUnderWayError(open);
    if (open) return this.submitOnce({ ...open, priority: options.priority });
    await this.checks.checkImportable(place, scanned);
    return this.enqueue(subject.kind, subject, { ...options, seen: await this.index.sightOf(place) });
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
}
