import { Injectable, Logger } from '@nestjs/common';
import { AppError } from '@rdc/errors';
import { ulid } from 'ulid';
import { forEachConcurrently } from '../concurrency/call-for-each.js';
import { ImportRequests, type RequestOptions } from '../imports/import-requests.js';
import { RequestLog, type LastFailure } from '../model/request-log.js';
import { isDuplicate, readStoredSubjects } from '../inventory/inventory.js';
import { collectionOf, hasIdentifiers, SourceIndex } from '../source/source-index.js';
import type { SourcePlace } from '../model/source-system.js';
import type { CommitHead } from '../model/commit.js';
import { Storage } from '../model/storage.js';
import type { ImportAllReport, QueuedImport } from './import-all-report.js';
import { ImportSchedule } from './import-schedule.js';

/** Places looked at at once. */
const looksAtOnce = 8;

/**
 * What somebody asks for by itself goes before all of the diff, which may be thousands; verifications that nobody asked
 * for, which have 1000, go after it.
 */
const diffPriority = 999;

/** Imports everything in both diffs that can be imported now. Run twice it queues nothing twice. */
@Injectable()
export class ImportAll {
  private readonly logger = new Logger(ImportAll.name);

  constructor(
    private readonly index: SourceIndex,
    private readonly storage: Storage,
    private readonly log: RequestLog,
    private readonly requests: ImportRequests,
    private readonly schedule: ImportSchedule,
  ) {}

  /**
   * Asks for every import of the diff. What is not ready, was rejected as it is, has a problem or was withdrawn is
   * left alone; what failed is tried again. What it came to is kept.
   *
   * @param asking without a priority, they wait behind what is asked for by itself
   * @param id of the run
   * @throws what source, storage or queue throw; what was queued until then stays queued
   */
  async run(trigger: ImportAllReport['trigger'], asking: RequestOptions, id = ulid()): Promise<ImportAllReport> {
    const started_at = new Date().toISOString();
    const [queued, skipped]: [QueuedImport[], Record<string, number>] = [[], {}];
    const skip = (why: string): void => {
      skipped[why] = (skipped[why] ?? 0) + 1;
    };
    let failure: unknown = null;
    await this.askForAll(asking, queued, skip).catch((error: unknown) => {
      failure = error ?? new Error('unknown');
    });
    const report: ImportAllReport = {
      ...{ id, trigger, requested_by: asking.requested_by, started_at, finished_at: new Date().toISOString() },
      ...{ queued, skipped, error: failure ? (failure as Error).message : null },
    };
    await this.schedule.recordRun(report);
    this.logger.log({ msg: 'The diff is queued', trigger, queued: queued.length, skipped });
    if (failure) throw failure as Error;
    return report;
  }

  private async askForAll(asking: RequestOptions, queued: QueuedImport[], skip: (why: string) => void): Promise<void> {
    const each: RequestOptions = { ...asking, priority: asking.priority ?? diffPriority };
    await forEachConcurrently(await this.candidates(skip), looksAtOnce, async (place) => {
      try {
        const asked = await this.requests.submitPlace(place, each);
        if (asked.isUnderWay) queued.push({ kind: place.kind, subject: place.id, import_id: asked.import.id });
      } catch (error) {
        if (!(error instanceof AppError) || error.code === 'dependency.down') throw error;
        skip(error.code);
      }
    });
  }

  /** What is in the source, not in storage or not settled there, and not under way. */
  private async candidates(skip: (why: string) => void): Promise<SourcePlace[]> {
    const listing = await this.index.list();
    const found: SourcePlace[] = [];
    for (const [kind, places] of [
      ['submission', listing.submissions.map(collectionOf)],
      ['dataset', listing.datasets],
    ] as const) {
      const stored = await readStoredSubjects(kind, this.storage, this.log);
      for (const place of places) {
        const failure = stored.failures.get(place.id);
        if (isSettled(stored.commits.get(place.id), failure)) continue;
        const why = reasonToSkip(place, isDuplicate(place, listing, stored), stored.open.has(place.id), failure);
        if (why === null) found.push(place);
        else skip(why);
      }
    }
    return found;
  }
}

/** Whether what stands in storage is all that its import was to make; one that failed could not make its name durable. */
export function isSettled(commit: CommitHead | undefined, last: LastFailure | undefined): boolean {
  return commit !== undefined && !(last?.state === 'failed' && last.id === commit.import_id);
}

/** Why a place that is not in storage is not asked for: an error code, `importing` or `withdrawn`; null when it is. */
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
