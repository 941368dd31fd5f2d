import { failpoint } from '../process/failpoint.js';
import { thisAgent } from '../process/software-agent.js';
import { foldersOf, type SourcePlace } from '../model/source-system.js';
import { integrityOf, releaseScan, type ScanResult } from '../source/place-scan.js';
import type { Commit, CommitDraft } from '../model/commit.js';
import type { Attempt } from '../model/attempt.js';
import type { Storage } from '../model/storage.js';
import { caseVariantsInSource } from '../model/id-collision.js';
import { failureOf, failureOfProblems, ImportFailure, NoSpaceFailure } from '../model/failure.js';
import type { RejectedDelivery } from '../model/import-ending.js';
import { shortPlanOf } from '../model/import-plan.js';
import { resultOf, type ImportRequest, type ImportResult } from '../model/import-record.js';
import { fits, planSpace, type SpacePlan } from '../model/space-plan.js';
import type { ProvisionerSettings } from '../settings/provisioner.settings.js';
import type { SourceAccess } from '../scan/source-access.js';
import { incompleteText } from '../source/readiness.js';
import { UnseenSourceFailure } from '../source/source-gate.js';
import type { DatasetCopies } from './dataset-copies.js';
import { DeliveryCheck } from './delivery-check.js';
import { findPlace, isComplete, planOf, reportWalk, walkDelivery, type WalkedDelivery } from './planning.js';
import type { ProgressMeter } from './progress-meter.js';

/** The services that a run uses. */
interface ImportRunServices {
  readonly source: SourceAccess;
  readonly storage: Storage;
  readonly copies: DatasetCopies;
  readonly settings: ProvisionerSettings;
}

/** Returns the failure for which a delivery was rejected. @param rejectionKey the present state of the delivery */
export type FindRejection = (rejectionKey: string) => Promise<ImportFailure | null>;

/** One start of the import of a dataset or a submission, from the walk of its source to the publication. */
export class ImportRun {
  /** The delivery as a rejection records it; null before the delivery is known to be complete. */
  delivery: RejectedDelivery | null = null;
  /** The time after which a changed delivery can be complete again, in milliseconds. */
  settleMs = 0;
  /** Whether the delivery is complete by the times of the source, but was not walked in this state before. */
  isSeenOnce = false;
  /** The commit in the storage, after the publication. */
  commit: Commit | null = null;
  private readonly startedAt = new Date().toISOString();

  /** @param token a text that is unique to this start of the import */
  constructor(
    private readonly services: ImportRunServices,
    private readonly request: ImportRequest,
    private readonly meter: ProgressMeter,
    private readonly token: string,
  ) {}

  /**
   * Imports the subject. A repeated run finds the published commit and the copied files, and does not copy them again.
   *
   * @param confirm is called before the publication and prevents it by throwing
   * @param findRejection returns the failure for which the delivery was rejected in its present state before
   * @throws ImportFailure, or the reason of the signal if it is aborted
   */
  async run(
    signal: AbortSignal,
    confirm: () => Promise<void> = () => Promise.resolve(),
    findRejection: FindRejection = () => Promise.resolve(null),
  ): Promise<ImportResult> {
    const published = await this.services.storage.completePublication(this.request.subject);
    if (published) return this.finish(published);
    try {
      return await this.copyAndPublish(signal, confirm, findRejection);
    } catch (error) {
      throw signal.aborted ? error : await this.withDoubt(error);
    }
  }

  private async copyAndPublish(
    signal: AbortSignal,
    confirm: () => Promise<void>,
    findRejection: FindRejection,
  ): Promise<ImportResult> {
    const { subject, seen } = this.request;
    const doubt = await this.services.source.index.gate.doubtAbout(subject, seen);
    if (doubt) throw new UnseenSourceFailure(doubt);
    const place = await this.findPlace();
    const delivery = await this.walk(place, signal);
    const { scan } = delivery;
    try {
      await this.check(delivery, signal, findRejection);
      failpoint('after_plan');
      const staging = await this.copy(place, scan, signal);
      await this.checkUnchanged(place, scan, signal);
      // A place that disappears before its walk is walked like an empty one.
      await this.findPlace();
      signal.throwIfAborted();
      await confirm();
      await this.report(delivery);
      return await this.publish(place, scan, staging);
    } catch (error) {
      if (!signal.aborted) await this.report(delivery);
      throw error;
    } finally {
      releaseScan(scan);
    }
  }

  /** Replaces a failure of the source by the reason why this worker does not see the delivery, if there is one. */
  private async withDoubt(error: unknown): Promise<unknown> {
    const { subject, seen } = this.request;
    if (error instanceof UnseenSourceFailure || !failureOf(error).code.startsWith('source.')) return error;
    const doubt = await this.services.source.index.gate.doubtAbout(subject, seen);
    return doubt ? new UnseenSourceFailure(doubt, error) : error;
  }

  private async findPlace(): Promise<SourcePlace> {
    const { place, caseVariants } = await findPlace(this.services.source.index, this.request.subject);
    if (caseVariants.length > 0)
      throw new ImportFailure('id.duplicate', caseVariantsInSource(place, caseVariants).message);
    return place;
  }

  private async walk(place: SourcePlace, signal: AbortSignal): Promise<WalkedDelivery> {
    const { source, settings } = this.services;
    const delivery = await walkDelivery(source, place, () => source.scanner.scan(place, signal));
    if (delivery.readyFrom > 0) this.settleMs = settings.SOURCE_SETTLE * 1000;
    this.meter.filesTotal = delivery.scan.files;
    this.meter.bytesTotal = delivery.scan.bytes;
    return delivery;
  }

  /**
   * Checks that a delivery can be imported. The completeness is checked first, because the other problems of an
   * incomplete delivery may disappear.
   */
  private async check(delivery: WalkedDelivery, signal: AbortSignal, findRejection: FindRejection): Promise<void> {
    const { place, scan } = delivery;
    const space = await this.planSpace(scan);
    this.meter.plan = shortPlanOf(planOf(delivery, 'importing', space));
    if (!isComplete(delivery)) {
      const isSettled = Number.isFinite(delivery.readyFrom) && Date.now() >= scan.changedAt + this.settleMs;
      this.isSeenOnce = isSettled && delivery.unchangedSince === delivery.scannedAt;
      throw new ImportFailure('source.not_ready', incompleteText(place.id, this.services.settings.SOURCE_READY));
    }
    const { rejectionKey, fingerprint, files, bytes } = scan;
    this.delivery = { submission: place.submission, fingerprint, files, bytes, rejectionKey };
    const rejection = await findRejection(rejectionKey);
    if (rejection) throw rejection;
    if (scan.problems.count > 0) {
      const reader = this.services.copies.copiers.createReader(place);
      throw failureOfProblems(await new DeliveryCheck(scan, reader, this.meter).run(signal));
    }
    if (!fits(space)) throw new NoSpaceFailure(space);
  }

  private planSpace(scan: ScanResult): Promise<SpacePlan> {
    const { storage, settings } = this.services;
    const { subject } = this.request;
    return planSpace(storage, settings.STORAGE_RESERVE, { subject, fingerprint: scan.fingerprint, content: scan });
  }

  /** Updates the lists with the walk of the delivery, because imported deliveries are walked rarely. */
  private async report(delivery: WalkedDelivery): Promise<void> {
    // A later walk updates the lists too, so the import is more important.
    await reportWalk(this.services.source.scanner, delivery).catch(() => undefined);
  }

  private async copy(place: SourcePlace, scan: ScanResult, signal: AbortSignal): Promise<Attempt> {
    const { storage, copies, settings } = this.services;
    try {
      const { request, meter } = this;
      const { subject } = request;
      const staging = await storage.openAttempt(subject, this.token, scan.fingerprint, settings.furtherManifests);
      failpoint('after_claim');
      meter.phase = 'copying';
      await copies.copy({ request, place, scan, meter }, staging, signal);
      return staging;
    } catch (error) {
      throw signal.aborted ? error : await this.withShortage(error, scan);
    }
  }

  /** Adds what the import lacks to the failure of a full storage, unless the space was freed in the meantime. */
  private async withShortage(error: unknown, scan: ScanResult): Promise<unknown> {
    const { code, problems } = failureOf(error);
    if (code !== 'storage.no_space') return error;
    const space = await this.planSpace(scan);
    return fits(space) ? error : new NoSpaceFailure(space, problems, error);
  }

  private async checkUnchanged(place: SourcePlace, scan: ScanResult, signal: AbortSignal): Promise<void> {
    this.meter.phase = 'checking';
    const now = await this.services.source.scanner.fingerprint(place, signal);
    // The time of the last change detects a file whose modification time was reset.
    if (now.fingerprint !== scan.fingerprint || now.changedAt !== scan.changedAt) {
      throw new ImportFailure('source.changed', 'The delivery changed during the copy.');
    }
  }

  private async publish(place: SourcePlace, scan: ScanResult, staging: Attempt): Promise<ImportResult> {
    this.meter.phase = 'publishing';
    return this.finish(await staging.publish(await this.draft(place, scan)));
  }

  private async finish(commit: Commit): Promise<ImportResult> {
    this.commit = commit;
    await this.services.storage.discard(commit);
    return resultOf(commit, this.services.storage.pathOf(commit));
  }

  private async draft(place: SourcePlace, scan: ScanResult): Promise<CommitDraft> {
    const { id, subject, attempt, requested_by, requested_at } = this.request;
    return {
      kind: subject.kind,
      id: subject.id,
      import_id: id,
      attempt,
      requested_by,
      requested_at,
      started_at: this.startedAt,
      imported_at: new Date().toISOString(),
      source: {
        submission: place.submission,
        locator: foldersOf(place).join('/'),
        fingerprint: scan.fingerprint,
      },
      content: { files: scan.files, folders: scan.folders, bytes: scan.bytes },
      declared: scan.declarations.algorithms,
      integrity: integrityOf(scan),
      ...(subject.kind === 'submission' && (await this.collectionOf(place, scan))),
      agent: thisAgent,
    };
  }

  /** Returns the members that only the commit of a collection has: its datasets and its description. */
  private async collectionOf(
    { submission }: SourcePlace,
    { declarations: { description } }: ScanResult,
  ): Promise<Pick<CommitDraft, 'members' | 'description'>> {
    return {
      members: await this.services.source.index.datasetsOf(submission),
      ...(description && { description: { ...description } }),
    };
  }
}
