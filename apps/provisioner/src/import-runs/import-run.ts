import { failpoint } from '../process/failpoint.js';
import { thisAgent } from '../process/software-agent.js';
import { foldersOf, type SourcePlace } from '../model/source-system.js';
import { integrityOf, releaseScan, type ScanResult } from '../source/place-scan.js';
import type { Commit, CommitDraft } from '../model/commit.js';
import type { Attempt, Storage } from '../model/storage.js';
import { duplicateInSource, caseVariantsInSource } from '../model/id-collision.js';
import { failureOfProblems, ImportFailure } from '../model/failure.js';
import type { RejectedDelivery } from '../model/import-ending.js';
import { resultOf, type ImportRequest, type ImportResult } from '../model/import-record.js';
import type { ManifestAlgorithm } from '../settings/manifest-algorithms.js';
import type { StorageReserve } from '../settings/storage-reserve.js';
import type { SourceIndex } from '../source/source-index.js';
import type { PlaceScanner } from '../source/place-scanner.js';
import type { CopierFactory } from './copier.factory.js';
import { DatasetCopy } from './dataset-copy.js';
import { DeliveryCheck } from './delivery-check.js';
import type { ProgressMeter } from './progress-meter.js';

/** The services that a run uses. */
interface ImportRunServices {
  readonly index: SourceIndex;
  readonly surveyor: PlaceScanner;
  readonly storage: Storage;
  readonly copiers: CopierFactory;
  readonly reserve: StorageReserve;
  /** The algorithms of the manifests to write in addition to SHA-256. */
  readonly manifests: readonly ManifestAlgorithm[];
}

/** One start of the import of a dataset or a submission, from the survey of the source to the publication. */
export class ImportRun {
  /** The delivery as a rejection records it, after the survey. */
  delivery: RejectedDelivery | null = null;
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
   * @throws ImportFailure, or the reason of the signal if it is aborted
   */
  async run(signal: AbortSignal, confirm: () => Promise<void> = () => Promise.resolve()): Promise<ImportResult> {
    const published = await this.services.storage.completePublication(this.request.subject);
    if (published) return this.finish(published);
    const place = await this.findPlace();
    const survey = await this.survey(place, signal);
    try {
      await this.check(place, survey, signal);
      failpoint('after_plan');
      const staging = await this.copy(place, survey, signal);
      await this.checkUnchanged(place, survey, signal);
      signal.throwIfAborted();
      await confirm();
      return await this.publish(place, survey, staging);
    } finally {
      releaseScan(survey);
    }
  }

  private async findPlace(): Promise<SourcePlace> {
    const { subject } = this.request;
    const { places, caseVariants } = await this.services.index.find(subject);
    const [place] = places;
    if (!place) throw new ImportFailure('source.gone', `${subject.id} is no longer in the source.`);
    if (places.length > 1) throw new ImportFailure('id.duplicate', duplicateInSource(subject.id, places).message);
    if (caseVariants.length > 0)
      throw new ImportFailure('id.duplicate', caseVariantsInSource(place, caseVariants).message);
    return place;
  }

  private async survey(place: SourcePlace, signal: AbortSignal): Promise<ScanResult> {
    const survey = await this.services.surveyor.scan(place, signal);
    const { rejectionKey, fingerprint, files, bytes } = survey;
    this.delivery = { submission: place.submission, fingerprint, files, bytes, rejectionKey };
    this.meter.filesTotal = files;
    this.meter.bytesTotal = bytes;
    return survey;
  }

  private async check(place: SourcePlace, survey: ScanResult, signal: AbortSignal): Promise<void> {
    if (survey.problems.count > 0) {
      const reader = this.services.copiers.createReader(place);
      throw failureOfProblems(await new DeliveryCheck(survey, reader, this.meter).run(signal));
    }
    const { bytes, files, folders } = survey;
    const free = await this.services.storage.freeSpace();
    const missing = bytes + this.services.reserve.bytesOf(free) - free.bytes;
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

  private async copy(place: SourcePlace, survey: ScanResult, signal: AbortSignal): Promise<Attempt> {
    const { storage, copiers } = this.services;
    const staging = await storage.openAttempt(
      this.request.subject,
      this.token,
      survey.fingerprint,
      this.services.manifests,
    );
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
