import { Injectable } from '@nestjs/common';
import { UnknownRecordError } from '@rdc/errors';
import { ulid } from 'ulid';
import { ImportQueue } from '../queue/import-queue.js';
import { ProvisionerSettings } from '../settings.js';
import { isIdentifier, type Subject } from '../source/identifier.js';
import { SourceIndex } from '../source/source-index.js';
import { SourceScan, type ScannedPlace } from '../source/source-scan.js';
import type { SourcePlace } from '../source/source-system.js';
import type { Commit } from '../storage/commit.js';
import { Storage } from '../storage/storage.js';
import type { ImportKind, ImportRequest } from './import-record.js';
import { importOfCommit, toImportResponse, type ImportResponse } from './import.response.js';
import {
  ChangedSinceImportError,
  DuplicateIdError,
  InvalidIdError,
  NoSpaceError,
  NotReadyError,
  RejectedError,
} from './imports.errors.js';
import { RequestLog } from './request-log.js';

/** Who asks, and how it should be done. */
export interface Asking {
  readonly requested_by: string;
  readonly requested_from: string;
  readonly priority?: number;
  readonly not_before?: string;
}

/** What came of asking. */
export interface Asked {
  /** False when there is nothing to do: it is imported already. */
  readonly isUnderWay: boolean;
  readonly import: ImportResponse;
}

/** What an import would do. */
export interface ImportPlan {
  readonly dry_run: true;
  readonly subject: string;
  readonly state: 'imported' | 'differs' | 'importing' | 'not_imported';
  readonly ready: boolean;
  readonly files: number;
  readonly bytes: number;
  /** Null where the storage cannot tell. */
  readonly free_bytes: number | null;
  readonly fits: boolean;
  readonly problems: readonly { readonly code: string; readonly message: string; readonly path?: string }[];
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
  async ask(subject: Subject, asking: Asking): Promise<Asked> {
    const place = await this.locate(subject);
    const commit = await this.storage.findCommit(subject);
    if (commit) return { isUnderWay: false, import: await this.importOf(await this.checkSame(commit, place)) };
    const open = await this.log.findOpen(subject.kind, subject.id);
    if (open) return { isUnderWay: true, import: await this.queued(open) };
    const seen = await this.scan.look(place);
    await this.checkImportable(place, seen);
    return this.open(subject.kind, subject.id, asking);
  }

  /** What asking would do, with every problem that can be found without reading the data. */
  async plan(subject: Subject): Promise<ImportPlan> {
    const place = await this.locate(subject);
    const [commit, open, seen, free] = await Promise.all([
      this.storage.findCommit(subject),
      this.log.findOpen(subject.kind, subject.id),
      this.scan.look(place),
      this.storage.freeSpace(),
    ]);
    const { survey } = seen;
    const differs = commit !== null && commit.source.fingerprint !== survey.fingerprint;
    return {
      dry_run: true,
      subject: subject.id,
      state: commit ? (differs ? 'differs' : 'imported') : open ? 'importing' : 'not_imported',
      ready: this.scan.isReady(seen),
      files: survey.files,
      bytes: survey.bytes,
      free_bytes: Number.isFinite(free.bytes) ? free.bytes : null,
      fits: survey.bytes + this.settings.STORAGE_RESERVE <= free.bytes,
      problems: survey.problems,
    };
  }

  /** Opens a request and queues it; of an open one of the same subject, that one. */
  async open(kind: ImportKind, subject: string, asking: Asking): Promise<Asked> {
    const failure = await this.log.findLastFailure(kind, subject);
    const isRetry = failure?.state === 'failed';
    return this.submit({
      id: isRetry ? failure.id : ulid(),
      kind,
      subject,
      attempt: isRetry ? failure.attempt + 1 : 1,
      requested_at: new Date().toISOString(),
      ...asking,
    });
  }

  /** Writes the request down, then queues it. When the queue is down nothing stays. */
  async submit(wanted: ImportRequest): Promise<Asked> {
    const { request, isNew } = await this.log.open(wanted);
    try {
      await this.queue.add(request);
    } catch (error) {
      if (isNew) await this.log.withdraw(request);
      throw error;
    }
    return { isUnderWay: true, import: await this.importOf(request) };
  }

  private async queued(request: ImportRequest): Promise<ImportResponse> {
    await this.queue.add(request);
    return this.importOf(request);
  }

  private async importOf(of: ImportRequest | Commit): Promise<ImportResponse> {
    const record = await this.log.find('import_id' in of ? of.import_id : of.id);
    if (record) return toImportResponse(record);
    if ('import_id' in of) return importOfCommit(of, this.storage);
    return toImportResponse({ request: of, ending: null, status: null, cancelling: false });
  }

  private async locate({ kind, id }: Subject): Promise<SourcePlace> {
    const places = await this.index.find({ kind, id });
    const [place] = places;
    if (places.length > 1)
      throw new DuplicateIdError(
        id,
        places.map(({ submission }) => submission),
      );
    if (place) return place;
    if (!isIdentifier(id) && (await this.holdsName(kind, id))) throw new InvalidIdError(id);
    throw new UnknownRecordError(kind, id);
  }

  private async holdsName(kind: Subject['kind'], name: string): Promise<boolean> {
    const { submissions, datasets } = await this.index.list();
    return kind === 'dataset'
      ? datasets.some(({ id }) => id === name)
      : submissions.some((each) => each.reference === name);
  }

  /** A dataset must still be what was imported; a collection claims its datasets, which may grow. */
  private async checkSame(commit: Commit, place: SourcePlace): Promise<Commit> {
    if (commit.kind === 'submission') return commit;
    const { survey } = await this.scan.look(place);
    if (survey.fingerprint !== commit.source.fingerprint) throw new ChangedSinceImportError(commit);
    return commit;
  }

  private async checkImportable(place: SourcePlace, seen: ScannedPlace): Promise<void> {
    const { SOURCE_READY, SOURCE_SETTLE, STORAGE_RESERVE } = this.settings;
    if (!this.scan.isReady(seen)) throw new NotReadyError(place.id, SOURCE_READY, SOURCE_SETTLE);
    const last = await this.log.findLastFailure(place.kind, place.id);
    if (last?.state === 'rejected' && last.fingerprint === seen.survey.fingerprint) throw new RejectedError(last);
    const needed = seen.survey.bytes + STORAGE_RESERVE;
    const free = await this.storage.freeSpace();
    if (needed > free.bytes) throw new NoSpaceError(needed, free.bytes);
  }
}
