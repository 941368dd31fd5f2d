import { Injectable, Logger } from '@nestjs/common';
import { AppError } from '@rdc/errors';
import { ulid } from 'ulid';
import { forEachConcurrently } from '../concurrency/for-each-concurrently.js';
import { ImportRequests, type RequestOptions } from '../imports/import-requests.js';
import { RequestLog, type LastFailure } from '../model/request-log.js';
import { isDuplicate, readStoredSubjects } from '../inventory/inventory.js';
import { collectionOf, hasIdentifiers, SourceIndex } from '../source/source-index.js';
import type { SourcePlace } from '../model/source-system.js';
import { SourceScan } from '../scan/source-scan.js';
import type { CommitHead } from '../model/commit.js';
import { Storage } from '../model/storage.js';
import type { ImportAllReport, QueuedImport } from './import-all-report.js';
import { ImportSchedule } from './import-schedule.js';

/** The number of places that are submitted at the same time. */
const submitsAtOnce = 8;

/**
 * The default priority of the imports of a run, of which there may be thousands. Imports that a caller submits alone run
 * before them, and periodic verifications, whose priority is 1000, run after them.
 */
const diffPriority = 999;

/** The import of the whole diff: of every dataset and submission that is not imported. */
@Injectable()
export class ImportAll {
  private readonly logger = new Logger(ImportAll.name);

  constructor(
    private readonly index: SourceIndex,
    private readonly storage: Storage,
    private readonly log: RequestLog,
    private readonly requests: ImportRequests,
    private readonly scan: SourceScan,
    private readonly schedule: ImportSchedule,
  ) {}

  /**
   * Submits every import of the diff and stores the report. A place is skipped if it is not ready, was rejected, has a
   * problem or was withdrawn. A failed import is retried. A repeated run queues no import again.
   *
   * @param id the id of the run
   * @throws the error of the source, the storage or the queue. The imports that were queued before stay queued.
   */
  async run(trigger: ImportAllReport['trigger'], options: RequestOptions, id = ulid()): Promise<ImportAllReport> {
    const started_at = new Date().toISOString();
    const [queued, skipped]: [QueuedImport[], Record<string, number>] = [[], {}];
    const skip = (reason: string): void => {
      skipped[reason] = (skipped[reason] ?? 0) + 1;
    };
    let failure: unknown = null;
    await this.submitAll(options, queued, skip).catch((error: unknown) => {
      failure = error ?? new Error('unknown');
    });
    const report: ImportAllReport = {
      ...{ id, trigger, requested_by: options.requested_by, started_at, finished_at: new Date().toISOString() },
      ...{ queued, skipped, error: failure ? (failure as Error).message : null },
    };
    await this.schedule.recordRun(report);
    this.logger.log({ msg: 'queued the diff', trigger, queued: queued.length, skipped });
    if (failure) throw failure as Error;
    return report;
  }

  private async submitAll(
    options: RequestOptions,
    queued: QueuedImport[],
    skip: (reason: string) => void,
  ): Promise<void> {
    const prioritized: RequestOptions = { ...options, priority: options.priority ?? diffPriority };
    await forEachConcurrently(await this.candidates(skip), submitsAtOnce, async (pathOf) => {
      try {
        const result = await this.requests.submitPlace(pathOf, prioritized, await this.scan.summarise(pathOf));
        const subject = { kind: pathOf.kind, id: pathOf.id };
        if (result.isUnderWay) queued.push({ subject, import_id: result.import.id });
      } catch (error) {
        if (!(error instanceof AppError) || error.code === 'dependency.down') throw error;
        skip(error.code);
      }
    });
  }

  /** Lists the places that must be imported: not settled in the storage, and not under way. */
  private async candidates(skip: (reason: string) => void): Promise<SourcePlace[]> {
    const listing = await this.index.list();
    const candidates: SourcePlace[] = [];
    for (const [kind, places] of [
      ['submission', listing.submissions.map(collectionOf)],
      ['dataset', listing.datasets],
    ] as const) {
      const stored = await readStoredSubjects(kind, this.storage, this.log);
      for (const place of places) {
        const failure = stored.failures.get(place.id);
        if (isSettled(stored.commits.get(place.id), failure)) continue;
        const reason = reasonToSkip(place, isDuplicate(place, listing, stored), stored.open.has(place.id), failure);
        if (reason === null) candidates.push(place);
        else skip(reason);
      }
    }
    return candidates;
  }
}

/** Returns whether a subject is imported and its import has not failed, for example to make its name durable. */
export function isSettled(commit: CommitHead | undefined, last: LastFailure | undefined): boolean {
  return commit !== undefined && !(last?.state === 'failed' && last.id === commit.import_id);
}

/** Returns why a place is skipped: an error code, `importing` or `withdrawn`; null if the place is submitted. */
export function reasonToSkip(
  place: SourcePlace,
  isDuplicate: boolean,
  isOpen: boolean,
  last: LastFailure | undefined,
): string | null {
  if (!hasIdentifiers(place)) return 'id.invalid';
  if (isDuplicate) return 'id.duplicate';
  if (isOpen) return 'importing';
  return last?.kind === 'withdraw' ? 'withdrawn' : null;
}
