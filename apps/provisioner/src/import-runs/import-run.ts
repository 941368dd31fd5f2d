import { failpoint } from '../process/failpoint.js';
import { thisAgent } from '../process/software-agent.js';
import { foldersOf, type SourcePlace } from '../model/source-system.js';
import { releaseScan, type ScanResult } from '../source/place-scan.js';
import type { Commit, CommitDraft } from '../model/commit.js';
import type { Attempt, Storage } from '../model/storage.js';
import { DatasetCopy, summaryOf } from './dataset-copy.js';
import { duplicateInSource, caseVariantsInSource } from '../model/duplicate-id.js';
import { ImportFailure } from '../model/failure.js';
import type { ImportRequest, ImportResult } from '../model/import-record.js';
import type { ImportTools } from './copier.factory.js';
import type { ProgressMeter } from './progress-meter.js';

/** Bringing one dataset, or the documents of one submission, in: from the look at the source to the publication. */
export class ImportRun {
  /** The state of the source for which it would be rejected, once known. */
  rejectionKey: string | null = null;
  /** What stands in storage, once it does. */
  commit: Commit | null = null;
  private readonly startedAt = new Date().toISOString();

  constructor(
    private readonly tools: ImportTools,
    private readonly request: ImportRequest & { readonly kind: 'dataset' | 'submission' },
    private readonly meter: ProgressMeter,
    /** Unique to this start of the import. */
    private readonly token: string,
  ) {}

  /**
   * Harmless to run again, at once or after any crash: what is published already is found, what is copied already is
   * not copied again.
   *
   * @param confirm called when everything is copied; what it throws keeps it from being published
   * @throws ImportFailure, or the reason of the signal
   */
  async run(signal: AbortSignal, confirm: () => Promise<void> = () => Promise.resolve()): Promise<ImportResult> {
    const subject = { kind: this.request.kind, id: this.request.subject };
    const standing = await this.tools.storage.completePublication(subject);
    if (standing) return this.finish(standing);
    const place = await this.findPlace();
    const survey = await this.look(place, signal);
    try {
      await this.check(survey);
      failpoint('after_plan');
      return await this.bring(place, survey, { signal, confirm });
    } finally {
      releaseScan(survey);
    }
  }

  private async bring(
    place: SourcePlace,
    survey: ScanResult,
    { signal, confirm }: { readonly signal: AbortSignal; readonly confirm: () => Promise<void> },
  ): Promise<ImportResult> {
    const subject = { kind: this.request.kind, id: this.request.subject };
    const attempt = await this.tools.storage.openAttempt(subject, this.token, survey.fingerprint);
    failpoint('after_claim');
    this.meter.phase = 'copying';
    const copier = this.tools.copierBetween(place, attempt);
    const copy = new DatasetCopy(survey, attempt, copier, this.meter);
    await copy.run(signal);
    await this.checkUnchanged(place, survey, signal);
    signal.throwIfAborted();
    await confirm();
    return this.publish(place, survey, attempt);
  }

  private async findPlace(): Promise<SourcePlace> {
    const { kind, subject } = this.request;
    const { places, caseVariants } = await this.tools.index.find({ kind, id: subject });
    const [place] = places;
    if (!place) throw new ImportFailure('source.gone', `The source no longer holds ${subject}.`);
    if (places.length > 1) throw new ImportFailure('id.duplicate', duplicateInSource(subject, places).message);
    if (caseVariants.length > 0) throw new ImportFailure('id.duplicate', caseVariantsInSource(place, caseVariants).message);
    return place;
  }

  private async look(place: SourcePlace, signal: AbortSignal): Promise<ScanResult> {
    const survey = await this.tools.scanner.scan(place, signal);
    this.rejectionKey = survey.rejectionKey;
    this.meter.filesTotal = survey.files;
    this.meter.bytesTotal = survey.bytes;
    return survey;
  }

  private async check(survey: ScanResult): Promise<void> {
    const { named, count } = survey.problems;
    const [first] = named;
    if (first) throw new ImportFailure(first.code, summaryOf(named, count), named);
    const { bytes, files, folders } = survey;
    const free = await this.tools.storage.freeSpace();
    const lacking = bytes + this.tools.settings.STORAGE_RESERVE.bytesOf(free) - free.bytes;
    if (lacking > 0) throw new ImportFailure('storage.no_space', `The storage lacks ${String(lacking)} bytes.`);
    if (files + folders > free.files)
      throw new ImportFailure('storage.no_space', 'The storage can hold no more files.');
  }

  private async checkUnchanged(place: SourcePlace, survey: ScanResult, signal: AbortSignal): Promise<void> {
    this.meter.phase = 'checking';
    const now = await this.tools.scanner.fingerprint(place, signal);
    // A file whose modification time was put back has another change time.
    if (now.fingerprint !== survey.fingerprint || now.changedAt !== survey.changedAt) {
      throw new ImportFailure('source.changed', 'The delivery was changed while it was copied.');
    }
  }

  private async publish(place: SourcePlace, survey: ScanResult, attempt: Attempt): Promise<ImportResult> {
    this.meter.phase = 'publishing';
    const commit = await attempt.publish(await this.draft(place, survey));
    return this.finish(commit);
  }

  private async finish(commit: Commit): Promise<ImportResult> {
    this.commit = commit;
    await this.tools.storage.discard(commit);
    return resultOf(this.tools.storage, commit);
  }

  private async draft(place: SourcePlace, survey: ScanResult): Promise<CommitDraft> {
    const { id, kind, subject, attempt, requested_by, requested_at } = this.request;
    return {
      kind,
      id: subject,
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
      ...(kind === 'submission' && (await this.collectionOf(place, survey))),
      agent: thisAgent,
    };
  }

  /** What a collection's record holds beyond a dataset's: the datasets it claims and what it says of itself. */
  private async collectionOf(
    { submission }: SourcePlace,
    { declarations: { description } }: ScanResult,
  ): Promise<Pick<CommitDraft, 'members' | 'description'>> {
    return {
      members: await this.tools.index.datasetsOf(submission),
      ...(description && { description: { ...description } }),
    };
  }
}

/** What an import of a published subject comes to. */
export function resultOf(storage: Storage, commit: Commit): ImportResult {
  const { files, bytes, manifest_sha256 } = commit.content;
  return { path: storage.pathOf(commit), files, bytes, manifest_sha256 };
}
