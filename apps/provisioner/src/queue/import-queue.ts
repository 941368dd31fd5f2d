import { withTimeout } from '@rdc/http';
import type { Job, JobsOptions, Processor, Queue, Telemetry, Worker, WorkerOptions } from 'bullmq';
import { decodeTime } from 'ulid';
import { waitAtMost } from '../concurrency/wait-at-most.js';
import type { ImportRequest } from '../model/import-record.js';
import { isPostgres, openQueue, openWorker } from './backend.js';
import { queueDown } from './queue-fault.js';
import { probeRedis } from './redis-probe.js';

/** The queue of imports that a worker should look at. It can be emptied at any moment; nothing is lost with it. */
const importQueueName = 'imports';

/** What a job carries: an identifier, and nothing that would be secret or stale. */
export interface ImportJob {
  readonly import_id: string;
  readonly attempt: number;
}

/** A queue that does not take a job within this time counts as down. */
const producerTimeoutMs = 900;

/** Waiting jobs that are looked at by themselves to tell which is the oldest; of first attempts those asked for first. */
const maxLooks = 100;

/** Imports that are asked for in one call where there are many, and how long a queue may take for them. */
const addedAtOnce = 1_000;
const addingMs = 10_000;

/** How long a start waits for the queue. */
const firstAnswerMs = 10_000;

/** Asks workers to look at imports. */
export class ImportQueue {
  /** For whoever shows it to people. */
  readonly queue: Queue<ImportJob>;
  private lastError: Error | null = null;

  /**
   * @param url the setting `QUEUE_URL`, whose scheme decides the backend
   * @param telemetry what carries traces through it, if they are wanted
   */
  constructor(
    private readonly url: string,
    private readonly onError: (error: Error) => void,
    telemetry?: Telemetry,
  ) {
    this.queue = openQueue(importQueueName, url, telemetry);
    this.queue.on('error', (error) => {
      this.lastError ??= error;
      this.onError(error);
    });
  }

  /**
   * Resolves when the queue can be used for the first time; its tables are made then, where it has any.
   *
   * @returns sentences on what is a risk in how it is set up
   */
  async waitUntilReady(): Promise<readonly string[]> {
    try {
      await withTimeout(firstAnswerMs, this.queue.waitUntilReady());
      return isPostgres(this.url) ? [] : await withTimeout(firstAnswerMs, probeRedis(this.url));
    } catch (error) {
      // What the connection met says more than that it gave up.
      throw this.lastError ?? error;
    }
  }

  /** Resolves when the queue answers. @throws DependencyDownError within a second when it does not */
  async probe(): Promise<void> {
    await failFast(this.queue.getJobCounts('wait'));
  }

  /** How many jobs wait for a worker, are active in one, or are delayed. @throws DependencyDownError within a second */
  async countJobs(): Promise<Record<'waiting' | 'active' | 'delayed', number>> {
    const counts = await failFast(this.queue.getJobCounts('wait', 'prioritized', 'active', 'delayed'));
    const { wait = 0, prioritized = 0, active = 0, delayed = 0 } = counts;
    return { waiting: wait + prioritized, active, delayed };
  }

  /**
   * For how long the oldest job has been waiting for a worker, in seconds, whatever goes before it. What may not begin
   * before an instant waits from then on.
   *
   * @throws DependencyDownError within a second
   */
  async secondsWaited(): Promise<number> {
    const now = Date.now();
    const waiting = (await failFast(this.queue.getRanges(['wait', 'prioritized'], 0, -1, true))).map(attemptOf);
    const first = waiting.filter(({ attempt }) => attempt === 1).sort((one, other) => (one.id < other.id ? -1 : 1));
    // The id of an import that is tried again tells when it was asked for the first time.
    const again = waiting.filter(({ attempt }) => attempt > 1);
    const looked = [first, again].flatMap((each) => each.slice(0, maxLooks));
    const jobs = await failFast(Promise.all(looked.map((each) => this.queue.getJob(jobIdOf(each)))));
    return jobs.reduce((most, job) => Math.max(most, job ? (now - readySince(job)) / 1000 : 0), 0);
  }

  /** Asks for an import; asking twice is once. @throws DependencyDownError within a second */
  async add(request: ImportRequest): Promise<void> {
    await failFast(this.queue.add('import', dataOf(request), optionsOf(request)));
  }

  /**
   * Has an import that was asked for already wait no longer than one of this priority would, 0 being none. How it is
   * written down stays as it is: a queue that was emptied is filled again without it.
   *
   * @throws DependencyDownError within a second
   */
  async raisePriority(request: ImportRequest, priority = 0): Promise<void> {
    if ((request.priority ?? 0) > priority) await failFast(this.moveForward(jobIdOf(request), priority));
  }

  /** Asks for many. @throws DependencyDownError when it takes none for a while */
  async addAll(requests: readonly ImportRequest[]): Promise<void> {
    const jobs = requests.map((request) => ({ name: 'import', data: dataOf(request), opts: optionsOf(request) }));
    for (let from = 0; from < jobs.length; from += addedAtOnce)
      await answeredWithin(addingMs, this.queue.addBulk(jobs.slice(from, from + addedAtOnce)));
  }

  async close(): Promise<void> {
    await waitAtMost(this.queue.close());
  }

  private async moveForward(jobId: string, priority: number): Promise<void> {
    const job = await this.queue.getJob(jobId);
    // One that has this place already would lose it to those who came after it.
    if (!job || job.priority <= priority) return;
    try {
      await job.changePriority({ priority });
    } catch (error) {
      const hasEnded = !(await this.queue.getJob(jobId));
      if (!hasEnded) throw error;
    }
  }
}

function dataOf({ id, attempt }: ImportRequest): ImportJob {
  return { import_id: id, attempt };
}

/** One attempt at an import. */
type Attempt = Pick<ImportRequest, 'id' | 'attempt'>;

function jobIdOf({ id, attempt }: Attempt): string {
  return `${id}-${String(attempt)}`;
}

function attemptOf(jobId: string): Attempt {
  const [id = '', attempt] = jobId.split('-');
  return { id, attempt: Number(attempt) };
}

/** Since when a worker could take a job that waits, in milliseconds of the Unix epoch. */
function readySince({ data, timestamp, opts }: Job<ImportJob>): number {
  if (opts.delay !== undefined) return timestamp + opts.delay;
  // A queue that was emptied and filled again has younger jobs than what they are for.
  return data.attempt === 1 ? decodeTime(data.import_id) : timestamp;
}

function optionsOf(request: ImportRequest): JobsOptions {
  const { priority, not_before } = request;
  return {
    jobId: jobIdOf(request),
    removeOnComplete: true,
    removeOnFail: true,
    ...(priority !== undefined && { priority }),
    ...(not_before !== undefined && { delay: Math.max(0, Date.parse(not_before) - Date.now()) }),
  };
}

/** Awaits an answer of a queue, but not for long. @throws DependencyDownError within a second */
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

/** Starts taking imports. */
export function openImportWorker(
  url: string,
  processor: Processor<ImportJob>,
  options: Pick<WorkerOptions, 'concurrency' | 'autorun' | 'telemetry'>,
): Worker<ImportJob> {
  return openWorker(importQueueName, url, processor, options);
}
