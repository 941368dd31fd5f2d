import { failpoint } from '../process/failpoint.js';
import { thisAgent } from '../process/software-agent.js';
import { foldersOf, type SourcePlace } from '../model/source-system.js';
import { integrityOf, releaseScan, type ScanResult } from '../source/place-scan.js';
import type { Commit, CommitDraft } from '../model/commit.js';
import type { Attempt, Storage } from '../model/storage.js';
import { caseVariantsInSource } from '../model/id-collision.js';
import { ImportFailure } from '../model/failure.js';
import { resultOf, type ImportRequest, type ImportResult } from '../model/import-record.js';
import { shortPlanOf } from '../model/import-plan.js';
import { incompleteText } from '../source/readiness.js';
import type { ProvisionerSettings } from '../settings/provisioner.settings.js';
import type { SourceIndex } from '../source/source-index.js';
import type { PlaceScanner } from '../source/place-scanner.js';
import type { CopierFactory } from './copier.factory.js';
import { DatasetCopy, summaryOf } from './dataset-copy.js';
import { findPlace, isComplete, planOf, reportWalk, walkDelivery, type WalkedDelivery } from './planning.js';
import type { ProgressMeter } from './progress-meter.js';

/** The services that a run uses. */
interface ImportRunServices {
  readonly index: SourceIndex;
  readonly surveyor: PlaceScanner;
  readonly storage: Storage;
  readonly copiers: CopierFactory;
  readonly settings: ProvisionerSettings;
}

/** Returns the failure for which a delivery was rejected. @param rejectionKey the present state of the delivery */
export type FindRejection = (rejectionKey: string) => Promise<ImportFailure | null>;

/** One start of the import of a dataset or a submission, from the survey of the source to the publication. */
export class ImportRun {
  /** The fingerprint under which a rejection of the delivery is recorded; null before the delivery is known to be complete. */
  rejectionKey: string | null = null;
  /** The time after which a changed delivery can be complete again, in milliseconds. */
  settleMs = 0;
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
    const place = await this.findPlace();
    const delivery = await this.survey(place, signal);
    const survey = delivery.scan;
    try {
      await this.check(delivery, findRejection);
      failpoint('after_plan');
      const staging = await this.copy(place, survey, signal);
      await this.checkUnchanged(place, survey, signal);
      signal.throwIfAborted();
      await confirm();
      return await this.publish(place, survey, staging);
    } catch (error) {
      if (!signal.aborted) await this.report(delivery);
      throw error;
    } finally {
      releaseScan(survey);
    }
  }

  private async findPlace(): Promise<SourcePlace> {
    const { place, caseVariants } = await findPlace(this.services.index, this.request.subject);
    if (caseVariants.length > 0)
      throw new ImportFailure('id.duplicate', caseVariantsInSource(place, caseVariants).message);
    return place;
  }

  private async survey(place: SourcePlace, signal: AbortSignal): Promise<WalkedDelivery> {
    const { surveyor, settings } = this.services;
    const delivery = await walkDelivery(surveyor, place, () => surveyor.scan(place, signal));
    if (delivery.readyFrom > 0) this.settleMs = settings.SOURCE_SETTLE * 1000;
    this.meter.filesTotal = delivery.scan.files;
    this.meter.bytesTotal = delivery.scan.bytes;
    return delivery;
  }

  /**
   * Checks that a delivery can be imported. The completeness is checked first, because the other problems of an
   * incomplete delivery may disappear.
   */
  private async check(delivery: WalkedDelivery, findRejection: FindRejection): Promise<void> {
    const { SOURCE_READY, STORAGE_RESERVE } = this.services.settings;
    const { problems, rejectionKey, bytes, files, folders } = delivery.scan;
    const free = await this.services.storage.freeSpace();
    this.meter.plan = shortPlanOf(planOf(delivery, 'importing', free, STORAGE_RESERVE));
    if (!isComplete(delivery))
      throw new ImportFailure('source.not_ready', incompleteText(delivery.place.id, SOURCE_READY));
    this.rejectionKey = rejectionKey;
    const rejection = await findRejection(rejectionKey);
    if (rejection) throw rejection;
    const { named, count } = problems;
    const [first] = named;
    if (first) throw new ImportFailure(first.code, summaryOf(named, count), named);
    const missing = bytes + STORAGE_RESERVE.bytesOf(free) - free.bytes;
    if (missing > 0) {
      throw new ImportFailure(
        'storage.no_space',
        `The storage has too little free space: ${String(missing)} bytes are missing.`,
      );
    }
    if (files + folders > free.files) {
      throw new ImportFailure(
        'storage.no_space',
        'The storage cannot hold this number of files: its file limit is reached.',
      );
    }
  }

  /** Updates the lists with the state of a delivery that was not imported. */
  private async report(delivery: WalkedDelivery): Promise<void> {
    // The next scan updates the lists too, so the reason why the import stopped is more important.
    await reportWalk(this.services.surveyor, delivery).catch(() => undefined);
  }

  private async copy(place: SourcePlace, survey: ScanResult, signal: AbortSignal): Promise<Attempt> {
    const { storage, copiers } = this.services;
    const staging = await storage.openAttempt(this.request.subject, this.token, survey.fingerprint);
    failpoint('after_claim');
    this.meter.phase = 'copying';
    await new DatasetCopy(survey, staging, copiers.create(place, staging), this.meter).run(signal);
    return staging;
  }

  private async checkUnchanged(place: SourcePlace, survey: ScanResult, signal: AbortSignal): Promise<void> {
    this.meter.phase = 'checking';
    const now = await this.services.surveyor.fingerprint(place, signal);
    // The time of the last change detects a file whose modification time was reset.
    if (now.fingerprint !== survey.fingerprint || now.changedAt !== survey.changedAt) {
      throw new ImportFailure('source.changed', 'The delivery changed during the copy.');
    }
  }

  private async publish(place: SourcePlace, survey: ScanResult, staging: Attempt): Promise<ImportResult> {
    this.meter.phase = 'publishing';
    return this.finish(await staging.publish(await this.draft(place, survey)));
  }

  private async finish(commit: Commit): Promise<ImportResult> {
    this.commit = commit;
    await this.services.storage.discard(commit);
    return resultOf(commit, this.services.storage.pathOf(commit));
  }

  private async draft(place: SourcePlace, survey: ScanResult): Promise<CommitDraft> {
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
        fingerprint: survey.fingerprint,
      },
      content: { files: survey.files, folders: survey.folders, bytes: survey.bytes },
      declared: survey.declarations.algorithms,
      integrity: integrityOf(survey),
      ...(subject.kind === 'submission' && (await this.collectionOf(place, survey))),
      agent: thisAgent,
    };
  }

  /** Returns the members that only the commit of a collection has: its datasets and its description. */
  private async collectionOf(
    { submission }: SourcePlace,
    { declarations: { description } }: ScanResult,
  ): Promise<Pick<CommitDraft, 'members' | 'description'>> {
    return {
      members: await this.services.index.datasetsOf(submission),
      ...(description && { description: { ...description } }),
    };
  }
}
