import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { failureOf } from '../model/failure.js';
import type { ImportRequest } from '../model/import-record.js';
import { RequestLog } from '../model/request-log.js';
import type { Shard } from '../model/shards.js';
import { Storage } from '../model/storage.js';
import { SupersededError } from '../model/storage-failure.js';
import type { ShardJob } from '../queue/import-queue.js';
import { SourceIndex } from '../source/source-index.js';
import { CopierFactory } from './copier.factory.js';
import { ImportMetrics } from './import.metrics.js';
import { done, type NextStep } from './next-step.js';
import { ProgressMeter } from './progress-meter.js';
import { releasePauseMs } from './retry-pause.js';
import { ShardRun } from './shard-run.js';

/** The executor of shards. The owner of the import decides what follows from the end of a shard. */
@Injectable()
export class ShardExecutor {
  private readonly logger = new Logger(ShardExecutor.name);

  constructor(
    private readonly log: RequestLog,
    private readonly storage: Storage,
    private readonly index: SourceIndex,
    private readonly copiers: CopierFactory,
    private readonly metrics: ImportMetrics,
  ) {}

  /**
   * Copies a shard from its present state. Does nothing if the import has ended or is cancelled, or if the shard has ended.
   *
   * @throws the reason of the signal if it is aborted. The shard stays open, and the next call resumes it.
   */
  async execute({ import_id, attempt, shard: number }: ShardJob, signal: AbortSignal): Promise<NextStep> {
    const record = await this.log.find(import_id);
    if (!record || record.ending || record.cancelling || record.request.attempt !== attempt) return done;
    const { request } = record;
    if (await this.isUnseen(request)) return released;
    const shard = await this.storage.claimShard(request.subject, number, randomUUID());
    return shard ? this.run(request, shard, signal) : done;
  }

  private async run(request: ImportRequest, shard: Shard, signal: AbortSignal): Promise<NextStep> {
    const meter = new ProgressMeter();
    this.metrics.track(meter);
    try {
      await new ShardRun(shard, this.copiers, meter).run(signal);
      return done;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SupersededError) return done;
      return await this.recordFailure(request, shard, error);
    } finally {
      this.metrics.untrack(meter);
      meter.stop();
    }
  }

  /** Records the failure of a shard, unless this worker does not see the source. */
  private async recordFailure(request: ImportRequest, shard: Shard, error: unknown): Promise<NextStep> {
    const { code, message, problems, counts } = failureOf(error);
    if (code.startsWith('source.') && (await this.isUnseen(request))) return released;
    this.logger.warn(`shard failed: import=${request.id} code=${code} files=${String(problems.length)}`);
    if (code === 'internal') this.logger.error(error);
    try {
      await shard.fail({ code, message, problems, counts });
    } catch (cause) {
      if (!(cause instanceof SupersededError)) throw cause;
    }
    return done;
  }

  private async isUnseen({ subject, seen }: ImportRequest): Promise<boolean> {
    return (await this.index.gate.doubtAbout(subject, seen)) !== null;
  }
}

const released: NextStep = { step: 'release', afterMs: releasePauseMs };
