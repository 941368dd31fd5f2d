import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { OutageLog } from '@rdc/http';
import { isCopy, type ImportEnding } from '../model/import-record.js';
import { RequestLog } from '../model/request-log.js';
import { CatalogClient, type EndingReport } from '../post-import/catalog-client.js';
import { PostImportTasks } from '../post-import/post-import-tasks.js';
import { SubjectBackoff } from '../post-import/subject-backoff.js';
import { TaskLoop } from '../post-import/task-loop.js';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';

/** The time until the reporter searches again for an ending that was not written yet. */
const unwrittenMs = 1_000;

/**
 * The reporter of endings to the catalog, which sends them to its subscribers. A task is recorded before the ending is
 * written, and the ending is read afterwards, so the catalog learns every ending and no other one.
 */
@Injectable()
export class EndingReporter implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(EndingReporter.name);
  private readonly pending = new SubjectBackoff(this.logger);
  private readonly client: CatalogClient | null;
  private readonly loop = new TaskLoop(() => this.reportPending(), new OutageLog('reporting endings', this.logger));

  constructor(
    private readonly tasks: PostImportTasks,
    private readonly log: RequestLog,
    { CATALOG_URL, CATALOG_API_KEY = '' }: ProvisionerSettings,
  ) {
    this.client = CATALOG_URL === undefined ? null : new CatalogClient(CATALOG_URL, CATALOG_API_KEY, false);
  }

  onApplicationBootstrap(): void {
    if (!this.client) {
      this.logger.log('CATALOG_URL is not set: no events about imports are sent');
      return;
    }
    this.tasks.onRecorded(() => {
      this.loop.runSoon();
    });
    this.loop.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  /**
   * Reports every ending with a pending task.
   *
   * @returns the time until the next retry, in milliseconds
   * @throws the first failure if every report failed
   */
  private async reportPending(): Promise<number> {
    const pending = await this.tasks.listPending('ending');
    let unwritten = 0;
    const nextMs = await this.pending.run([...pending.keys()], async (importId) => {
      for (const name of pending.get(importId) ?? []) {
        if (await this.report(importId, attemptOf(name))) await this.tasks.complete('ending', [name]);
        else unwritten += 1;
      }
    });
    return unwritten > 0 ? Math.min(nextMs, unwrittenMs) : nextMs;
  }

  /** Reports one ending. @returns false if the attempt may still end */
  private async report(importId: string, attempt: number): Promise<boolean> {
    const ending = await this.log.findEnding(importId, attempt);
    if (!ending) return (await this.log.find(importId))?.request.attempt !== attempt;
    const report = reportOf(ending);
    if (!report || !this.client) return true;
    const result = await this.client.report(report);
    if (result.state === 'refused') {
      this.logger.error(`the catalog refused an ending: import=${importId}: ${result.reason}`);
    }
    return true;
  }
}

/** Returns the report of an ending; null if the ending is none that subscribers receive. */
export function reportOf(ending: ImportEnding): EndingReport | null {
  const type = typeOf(ending);
  if (!type) return null;
  const { id: import_id, attempt, subject, error, finished_at } = ending;
  return { type, import_id, attempt, kind: subject.kind, id: subject.id, code: error?.code ?? null, finished_at };
}

function typeOf({ kind, state }: ImportEnding): EndingReport['type'] | null {
  if (kind === 'verify') return state === 'failed' ? 'verification.failed' : null;
  return isCopy(kind) && state !== 'cancelled' ? `import.${state}` : null;
}

function attemptOf(taskName: string): number {
  return Number(taskName.slice(taskName.lastIndexOf('~') + 1));
}
