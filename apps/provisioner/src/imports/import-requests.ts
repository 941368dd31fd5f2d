import { Injectable } from '@nestjs/common';
import { UnknownRecordError } from '@rdc/errors';
import { ulid } from 'ulid';
import { ImportQueue } from '../queue/import-queue.js';
import { thisAgent } from '../process/software-agent.js';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { isIdentifier, type Subject } from '../model/identifier.js';
import { SourceIndex } from '../source/source-index.js';
import { SourceScan, type ScannedPlace } from '../scan/source-scan.js';
import type { SourcePlace } from '../model/source-system.js';
import type { Commit } from '../model/commit.js';
import { Storage } from '../model/storage.js';
import { duplicateInSource, caseVariantInStorage, caseVariantsInSource, caseVariantUnderWay, type IdCollision } from '../model/duplicate-id.js';
import type { ImportPlan } from './import-plan.js';
import type { ImportKind, ImportRecord, ImportRequest } from '../model/import-record.js';
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
import { RequestLog } from '../model/request-log.js';

/** Who asks, and how it should be done. */
export interface RequestOptions {
  readonly requested_by: string;
  readonly requested_from: string;
  readonly priority?: number;
  readonly not_before?: string;
}

/** What came of asking. */
export interface SubmitResult {
  /** False when there is nothing to do: it is imported already. */
  readonly isUnderWay: boolean;
  readonly import: ImportResponse;
}

/** Asks for imports, once for each subject however often and from wherever it is asked. */
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
   * Asks for an import of a dataset or of a submission's documents.
   *
   * @throws UnknownRecordError, NotReadyError, ChangedSinceImportError, RejectedError, DuplicateIdError, InvalidIdError,
   *   NoSpaceError, DependencyDownError
   */
  async submit(subject: Subject, asking: RequestOptions): Promise<SubmitResult> {
    const { place, twins } = await this.locate(subject);
    // What is imported already is answered for, whatever else has come to the source since.
    if (twins.length > 0 && !(await this.storage.findCommit(subject))) {
      throw new DuplicateIdError(caseVariantsInSource(place, twins));
    }
    return this.submitPlace(place, asking);
  }

  /** The same of a place that is known to be the only one of its subject. */
  async submitPlace(place: SourcePlace, asking: RequestOptions): Promise<SubmitResult> {
    const subject: Subject = { kind: place.kind, id: place.id };
    const commit = await this.storage.findCommit(subject);
    if (commit) return this.answerFor(await this.checkSame(commit, place), asking);
    const enqueue = await this.log.findOpen(subject.kind, subject.id);
    const clash = await this.clashInStorage(subject, enqueue);
    if (clash) throw new DuplicateIdError(clash);
    if (enqueue?.kind === 'withdraw') throw new OtherUnderWayError(enqueue);
    if (enqueue) return (await this.submitOnce({ ...enqueue, priority: asking.priority })) ?? this.submitPlace(place, asking);
    const seen = await this.scan.scanPlace(place);
    await this.checkImportable(place, seen);
    return this.open(subject.kind, subject.id, asking);
  }

  /** What asking would do, with every problem that can be found without reading the data. */
  async plan(subject: Subject): Promise<ImportPlan> {
    const { place, twins } = await this.locate(subject);
    return this.planPlace(place, twins);
  }

  /** The same of a place that is known to be the only one of its subject. */
  async planPlace(place: SourcePlace, twins: readonly SourcePlace[] = []): Promise<ImportPlan> {
    const subject: Subject = { kind: place.kind, id: place.id };
    const [commit, open, seen, free] = await Promise.all([
      this.storage.findCommit(subject),
      this.log.findOpen(subject.kind, subject.id),
      this.scan.scanPlace(place),
      this.storage.freeSpace(),
    ]);
    const { scan } = seen;
    const room = this.settings.STORAGE_RESERVE.roomIn(free);
    const differs = commit !== null && commit.source.fingerprint !== scan.fingerprint;
    const clash = twins.length > 0 ? caseVariantsInSource(place, twins) : await this.clashInStorage(subject, open);
    const problems = !commit && clash ? [{ code: 'id.duplicate' as const, message: clash.message }] : [];
    return {
      dry_run: true,
      subject: subject.id,
      state: commit ? (differs ? 'differs' : 'imported') : open?.subject === subject.id ? 'importing' : 'not_imported',
      ready: this.scan.isReady(seen),
      files: scan.files,
      bytes: scan.bytes,
      free_bytes: Number.isFinite(room) ? room : null,
      fits: scan.bytes + this.settings.STORAGE_RESERVE.bytesOf(free) <= free.bytes,
      problem_count: problems.length + scan.problems.count,
      problems: [...problems, ...scan.problems.named],
      warning_count: scan.warnings.count,
      warnings: scan.warnings.named,
    };
  }

  /** The answer for an import that the log knows. */
  toResponse(record: ImportRecord): ImportResponse {
    return toImportResponse(record, this.settings.BASE_PATH);
  }

  /** Opens a request and queues it; of an open one of the same subject, that one. */
  async open(kind: ImportKind, subject: string, asking: RequestOptions): Promise<SubmitResult> {
    const failure = await this.log.findLastFailure(kind, subject);
    const isRetry = failure?.state === 'failed' && failure.kind === kind;
    const asked = await this.submitOnce({
      id: isRetry ? failure.id : ulid(),
      kind,
      subject,
      attempt: isRetry ? failure.attempt + 1 : 1,
      requested_at: new Date().toISOString(),
      accepted_by: thisAgent,
      ...asking,
    });
    return asked ?? this.open(kind, subject, asking);
  }

  /**
   * Asks for an imported dataset to be taken out of sight.
   *
   * @throws UnknownRecordError when it is not imported, OtherUnderWayError, DependencyDownError
   */
  async withdraw(id: string, reason: string, asking: RequestOptions): Promise<SubmitResult> {
    const commit = isIdentifier(id) ? await this.storage.findCommit({ kind: 'dataset', id }) : null;
    if (!commit) throw new UnknownRecordError('imported dataset', id);
    const requested_at = new Date().toISOString();
    const request = { id: ulid(), kind: 'withdraw', subject: id, attempt: 1, requested_at, ...asking } as const;
    const asked = await this.submitOnce({ ...request, accepted_by: thisAgent, reason, withdraws: commit.import_id });
    return asked ?? this.withdraw(id, reason, asking);
  }

  /**
   * Writes the request down, then queues it; where there is one already, it goes before others as this would. When the
   * queue is down nothing stays.
   *
   * @returns null when this very attempt has ended meanwhile: whoever asks looks again at what is there now
   * @throws DuplicateIdError, OtherUnderWayError, DependencyDownError
   */
  async submitOnce(wanted: ImportRequest): Promise<SubmitResult | null> {
    const opened = await this.log.open(wanted);
    if (!opened) return null;
    const { request, isNew } = opened;
    if (request.subject !== wanted.subject) throw new DuplicateIdError(caseVariantUnderWay(wanted.subject, request));
    if (request.kind !== wanted.kind) throw new OtherUnderWayError(request);
    try {
      await this.queue.add(request);
      if (!isNew) await this.queue.raisePriority(request, wanted.priority);
    } catch (error) {
      if (isNew) await this.log.revoke(request);
      throw error;
    }
    return { isUnderWay: true, import: await this.importOf(request) };
  }

  private async importOf(request: ImportRequest): Promise<ImportResponse> {
    const record = await this.log.find(request.id);
    return this.toResponse(record ?? { request, ending: null, status: null, cancelling: false });
  }

  /**
   * What stands is imported. Whose import failed nevertheless could not make its name durable: it goes on with that, and
   * copies nothing.
   */
  private async answerFor(commit: Commit, asking: RequestOptions): Promise<SubmitResult> {
    const record = (await this.log.find(commit.import_id)) ?? recordOfCommit(commit, this.storage);
    if (record.ending?.state === 'failed') return this.open(commit.kind, commit.id, asking);
    return { isUnderWay: record.ending === null, import: this.toResponse(record) };
  }

  private async locate({ kind, id }: Subject): Promise<{ place: SourcePlace; twins: readonly SourcePlace[] }> {
    const { places, caseVariants } = await this.index.find({ kind, id });
    const [place] = places;
    if (places.length > 1) throw new DuplicateIdError(duplicateInSource(id, places));
    if (place) return { place, twins: caseVariants };
    const [named] = await this.index.findNamed({ kind, id });
    if (named) throw new InvalidIdError(isIdentifier(id) ? named.submission : id);
    throw new UnknownRecordError(kind, id);
  }

  /** A twin that is imported, or under way. */
  private async clashInStorage(subject: Subject, open: ImportRequest | null): Promise<IdCollision | null> {
    if (open) return open.subject === subject.id ? null : caseVariantUnderWay(subject.id, open);
    const twin = await this.storage.findCaseVariant(subject);
    return twin && caseVariantInStorage(subject, twin);
  }

  /** A dataset must still be what was imported; a collection claims its datasets, which may grow. */
  private async checkSame(commit: Commit, place: SourcePlace): Promise<Commit> {
    if (commit.kind === 'submission') return commit;
    const { scan } = await this.scan.scanPlace(place);
    if (scan.fingerprint !== commit.source.fingerprint) throw new ChangedSinceImportError(commit);
    return commit;
  }

  private async checkImportable(place: SourcePlace, seen: ScannedPlace): Promise<void> {
    const { SOURCE_READY, SOURCE_SETTLE, STORAGE_RESERVE } = this.settings;
    if (!this.scan.isReady(seen)) throw new NotReadyError(place.id, SOURCE_READY, SOURCE_SETTLE);
    const last = await this.log.findLastFailure(place.kind, place.id);
    if (last?.state === 'rejected' && last.fingerprint === seen.scan.rejectionKey) throw new RejectedError(last);
    const free = await this.storage.freeSpace();
    const needed = seen.scan.bytes + STORAGE_RESERVE.bytesOf(free);
    if (needed > free.bytes) throw new NoSpaceError(needed, free.bytes);
  }
}
