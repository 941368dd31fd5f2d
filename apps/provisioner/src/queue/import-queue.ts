import { withTimeout } from '@rdc/http';
import type { Job, JobsOptions, Processor, Queue, Telemetry, Worker, WorkerOptions } from 'bullmq';
import { decodeTime } from 'ulid';
import { waitAtMost } from '../concurrency/wait-at-most.js';
import type { ImportRequest } from '../model/import-record.js';
import { isPostgres, openQueue, openWorker } from './backend.js';
import { queueDown } from './queue-fault.js';
import { probeRedis } from './redis-probe.js';

/** The queue of open imports. It may be emptied at any time, because the request log is the source of truth. */
const importQueueName = 'imports';

/** The queue of plans. It is separate, so that a plan never waits for imports that copy for hours. */
const planQueueName = 'plans';

/** The queue of shards, in addition to the job of their import. */
const shardQueueName = 'shards';

/** The payload of a job: identifiers only, so that it is neither secret nor outdated. */
export interface ImportJob {
  readonly import_id: string;
  readonly attempt: number;
}

/** The payload of the job of a shard. */
export interface ShardJob extends ImportJob {
  /** The number of the shard, from 0. */
  readonly shard: number;
}

/** Time after which a queue that has not accepted a job counts as down. */
const producerTimeoutMs = 900;

/** Maximum number of waiting jobs, of first attempts and of retries each, that are read to find the oldest. */
const maxJobsRead = 100;

/** Number of jobs that are added in one call. */
const bulkSize = 1_000;

/** Time after which a queue that has not accepted `bulkSize` jobs counts as down. */
const bulkTimeoutMs = 10_000;

/** Maximum time for which the start of a process waits for the queue. */
const startTimeoutMs = 10_000;

/** The producer of import jobs. */
export class ImportQueue {
  /** The underlying queues, for the page that displays their jobs. */
  readonly queue: Queue<ImportJob>;
  readonly plans: Queue<ImportJob>;
  readonly shards: Queue<ShardJob>;
  private lastError: Error | null = null;

  /**
   * @param url the setting `QUEUE_URL`, whose scheme selects the backend
   * @param onError called with each connection error
   * @param telemetry carries traces to the workers; undefined if tracing is off
   */
  constructor(
    private readonly url: string,
    private readonly onError: (error: Error) => void,
    telemetry?: Telemetry,
  ) {
    this.queue = openQueue(importQueueName, url, telemetry);
    this.plans = openQueue(planQueueName, url, telemetry);
    this.shards = openQueue(shardQueueName, url, telemetry);
    for (const queue of this.all) {
      queue.on('error', (error) => {
        this.lastError ??= error;
        this.onError(error);
      });
    }
  }

  /**
   * Waits until the queue can be used. On Postgres, creates the tables of the queue.
   *
   * @returns warnings about the configuration of the queue
   * @throws Error if the queue does not answer within ten seconds, or is unfit
   */
  async waitUntilReady(): Promise<readonly string[]> {
    try {
      // One after the other, because each creates the tables of the queue on Postgres.
      for (const queue of this.all) await withTimeout(startTimeoutMs, queue.waitUntilReady());
      return isPostgres(this.url) ? [] : await withTimeout(startTimeoutMs, probeRedis(this.url));
    } catch (error) {
      // The error of the connection is more specific than the timeout.
      throw this.lastError ?? error;
    }
  }

  /** Checks that the queue answers. @throws DependencyDownError within a second if it does not */
  async probe(): Promise<void> {
    await failFast(this.queue.getJobCounts('wait'));
  }

  /** Returns the number of jobs in each state. @throws DependencyDownError within a second if the queue is down */
  async countJobs(): Promise<Record<'waiting' | 'active' | 'delayed', number>> {
    const counts = await failFast(this.queue.getJobCounts('wait', 'prioritized', 'active', 'delayed'));
    const { wait = 0, prioritized = 0, active = 0, delayed = 0 } = counts;
    return { waiting: wait + prioritized, active, delayed };
  }

  /**
   * Returns how long the oldest job has been waiting for a worker, in seconds, regardless of priorities. A delayed job
   * waits from the end of its delay.
   *
   * @throws DependencyDownError within a second if the queue is down
   */
  async secondsWaited(): Promise<number> {
    const now = Date.now();
    const waiting = (await failFast(this.queue.getRanges(['wait', 'prioritized'], 0, -1, true))).map(attemptOf);
    const first = waiting.filter(({ attempt }) => attempt === 1).sort((one, other) => (one.id < other.id ? -1 : 1));
    // The id of an import contains the time of its first attempt, so it does not order retries.
    const retries = waiting.filter(({ attempt }) => attempt > 1);
    const candidates = [first, retries].flatMap((each) => each.slice(0, maxJobsRead));
    const jobs = await failFast(Promise.all(candidates.map((each) => this.queue.getJob(jobIdOf(each)))));
    return jobs.reduce((most, job) => Math.max(most, job ? (now - readySince(job)) / 1000 : 0), 0);
  }

  /**
   * Adds a job for an import. Does nothing if the attempt already has a job.
   *
   * @throws DependencyDownError within a second if the queue is down
   */
  async add(request: ImportRequest): Promise<void> {
    await failFast(this.queueOf(request).add('import', dataOf(request), optionsOf(request)));
  }

  /**
   * Raises the priority of a job to the given one, where 0 means no priority. The request log keeps the original
   * priority, which applies again after the queue is rebuilt.
   *
   * @throws DependencyDownError within a second if the queue is down
   */
  async raisePriority(request: ImportRequest, priority = 0): Promise<void> {
    if ((request.priority ?? 0) > priority) await failFast(this.moveForward(jobIdOf(request), priority));
  }

  /** Adds jobs for many imports, as `add` does. @throws DependencyDownError if the queue is down */
  async addAll(requests: readonly ImportRequest[]): Promise<void> {
    for (const queue of [this.queue, this.plans]) {
      const jobs = requests
        .filter((request) => this.queueOf(request) === queue)
        .map((request) => ({ name: 'import', data: dataOf(request), opts: optionsOf(request) }));
      for (let from = 0; from < jobs.length; from += bulkSize)
        await answeredWithin(bulkTimeoutMs, queue.addBulk(jobs.slice(from, from + bulkSize)));
    }
  }

  /** Adds jobs for shards of an import. A shard with a job keeps the job. @throws DependencyDownError if the queue is down */
  async addShards(request: ImportRequest, shards: readonly number[]): Promise<void> {
    const { priority } = request;
    const jobs = shards.map((shard) => ({
      name: 'shard',
      data: { ...dataOf(request), shard },
      opts: {
        ...keptNowhere,
        jobId: `${jobIdOf(request)}-${String(shard)}`,
        ...(priority !== undefined && { priority }),
      },
    }));
    await answeredWithin(bulkTimeoutMs, this.shards.addBulk(jobs));
  }

  /** Closes the connections. Waits up to five seconds. */
  async close(): Promise<void> {
    await Promise.all(this.all.map((queue) => waitAtMost(queue.close())));
  }

  private get all(): readonly Queue[] {
    return [this.queue, this.plans, this.shards] as readonly Queue[];
  }

  private queueOf({ kind }: ImportRequest): Queue<ImportJob> {
    return kind === 'plan' ? this.plans : this.queue;
  }

  private async moveForward(jobId: string, priority: number): Promise<void> {
    const job = await this.queue.getJob(jobId);
    // Setting the same priority again would move the job behind later jobs of that priority.
    if (!job || job.priority <= priority) return;
    try {
      await job.changePriority({ priority });
    } catch (error) {
      const hasEnded = !(await this.queue.getJob(jobId));
      if (!hasEnded) throw error;
    }
  }
}

/** Options of a job that is removed when it has ended. */
const keptNowhere: JobsOptions = { removeOnComplete: true, removeOnFail: true };

function dataOf({ id, attempt }: ImportRequest): ImportJob {
  return { import_id: id, attempt };
}

/** The key of an attempt at an import. */
type Attempt = Pick<ImportRequest, 'id' | 'attempt'>;

function jobIdOf({ id, attempt }: Attempt): string {
  return `${id}-${String(attempt)}`;
}

function attemptOf(jobId: string): Attempt {
  const [id = '', attempt] = jobId.split('-');
  return { id, attempt: Number(attempt) };
}

/** Returns the time from which a worker could accept a waiting job, in milliseconds since 1970. */
function readySince({ data, timestamp, opts }: Job<ImportJob>): number {
  if (opts.delay !== undefined) return timestamp + opts.delay;
  // After the queue is rebuilt, a job may be younger than its import.
  return data.attempt === 1 ? decodeTime(data.import_id) : timestamp;
}

function optionsOf(request: ImportRequest): JobsOptions {
  const { priority, not_before } = request;
  return {
    jobId: jobIdOf(request),
    ...keptNowhere,
    ...(priority !== undefined && { priority }),
    ...(not_before !== undefined && { delay: Math.max(0, Date.parse(not_before) - Date.now()) }),
  };
}

/** Awaits a reply of the queue. @throws DependencyDownError if the reply fails or takes longer than 900 ms */
export function failFast<T>(answer: Promise<T>): Promise<T> {
  return answeredWithin(producerTimeoutMs, answer);
}

async function answeredWithin<T>(milliseconds: number, answer: Promise<T>): Promise<T> {
  try {
    return await withTimeout(milliseconds, answer);
  } catch (cause) {
    throw queueDown(cause);
  }
}

type ImportWorkerOptions = Pick<WorkerOptions, 'concurrency' | 'autorun' | 'telemetry'>;

/** Opens a worker for import jobs. */
export function openImportWorker(
  url: string,
  processor: Processor<ImportJob>,
  options: ImportWorkerOptions,
): Worker<ImportJob> {
  return openWorker(importQueueName, url, processor, options);
}

/** Opens a worker for the jobs of plans. */
export function openPlanWorker(
  url: string,
  processor: Processor<ImportJob>,
  options: ImportWorkerOptions,
): Worker<ImportJob> {
  return openWorker(planQueueName, url, processor, options);
}

/** Opens a worker for the jobs of shards. */
export function openShardWorker(
  url: string,
  processor: Processor<ShardJob>,
  options: ImportWorkerOptions,
): Worker<ShardJob> {
  return openWorker(shardQueueName, url, processor, options);
}
