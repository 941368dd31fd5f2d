import { DependencyDownError } from '@rdc/errors';
import {
  createPostgresBackend,
  Queue,
  Worker,
  type ConnectionOptions,
  type JobsOptions,
  type PostgresConnectionOptions,
  type Processor,
  type WorkerOptions,
} from 'bullmq';
import type { ImportRequest } from '../imports/import-record.js';

/** The one queue: imports that a worker should look at. It can be emptied at any moment; nothing is lost with it. */
export const importQueueName = 'imports';

/** What a job carries: an identifier, and nothing that would be secret or stale. */
export interface ImportJob {
  readonly import_id: string;
  readonly attempt: number;
}

/** A queue that does not take a job within this time counts as down. */
const producerTimeoutMs = 900;

/** How long a start waits for the queue. */
const firstAnswerMs = 10_000;

/** A killed worker's import is somebody else's after at most `lockDuration` + `stalledInterval`. */
const workerTimes = { lockDuration: 10_000, stalledInterval: 5_000, drainDelay: 5 } as const;

/** Crashes are counted by us (`no_progress`), not by the queue. */
const maxStalledCount = 1_000_000;

/** Asks workers to look at imports. */
export class ImportQueue {
  private readonly queue: Queue<ImportJob>;
  private lastError: Error | null = null;

  /** @param url the setting `QUEUE_URL`, whose scheme decides the backend */
  constructor(
    url: string,
    private readonly onError: (error: Error) => void,
  ) {
    this.queue = openQueue(url);
    this.queue.on('error', (error) => {
      this.lastError ??= error;
      this.onError(error);
    });
  }

  /** Resolves when the queue can be used for the first time; its tables are made then, where it has any. */
  async waitUntilReady(): Promise<void> {
    try {
      await within(firstAnswerMs, this.queue.waitUntilReady());
    } catch (error) {
      // What the connection met says more than that it gave up.
      throw this.lastError ?? error;
    }
  }

  /** Resolves when the queue answers. @throws DependencyDownError within a second when it does not */
  async probe(): Promise<void> {
    await failingFast(this.queue.getJobCounts('wait'));
  }

  /** Asks for an import; asking twice is once. @throws DependencyDownError within a second */
  async add(request: ImportRequest): Promise<void> {
    await failingFast(this.queue.add('import', dataOf(request), optionsOf(request)));
  }

  /** Asks for many. */
  async addAll(requests: readonly ImportRequest[]): Promise<void> {
    const jobs = requests.map((request) => ({ name: 'import', data: dataOf(request), opts: optionsOf(request) }));
    await this.queue.addBulk(jobs);
  }

  async close(): Promise<void> {
    await this.queue.close();
  }
}

function dataOf({ id, attempt }: ImportRequest): ImportJob {
  return { import_id: id, attempt };
}

function optionsOf({ id, attempt, priority, not_before }: ImportRequest): JobsOptions {
  return {
    jobId: `${id}-${String(attempt)}`,
    removeOnComplete: true,
    removeOnFail: true,
    ...(priority !== undefined && { priority }),
    ...(not_before !== undefined && { delay: Math.max(0, Date.parse(not_before) - Date.now()) }),
  };
}

/** Awaits an answer of the queue, but not for long. */
async function failingFast<T>(answer: Promise<T>): Promise<T> {
  try {
    return await within(producerTimeoutMs, answer);
  } catch (cause) {
    throw new DependencyDownError('queue', cause);
  }
}

async function within<T>(milliseconds: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${String(milliseconds)} ms`));
    }, milliseconds);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
    answer.catch(() => undefined);
  }
}

/** Starts taking jobs. */
export function openWorker(
  url: string,
  processor: Processor<ImportJob>,
  options: Pick<WorkerOptions, 'concurrency' | 'autorun'>,
): Worker<ImportJob> {
  const all = { ...options, ...workerTimes, maxStalledCount };
  if (!isPostgres(url)) {
    return new Worker<ImportJob>(importQueueName, processor, {
      ...all,
      connection: { url, maxRetriesPerRequest: null },
    });
  }
  const connection = postgresOf(url);
  // The backends differ in a type parameter that none of our calls depends on.
  return new Worker(importQueueName, processor as never, { ...all, connection }, createPostgresBackend) as never;
}

function openQueue(url: string): Queue<ImportJob> {
  if (isPostgres(url))
    return new Queue(importQueueName, { connection: postgresOf(url) }, createPostgresBackend) as never;
  return new Queue(importQueueName, { connection: redisProducerOf(url), skipWaitingForReady: true });
}

function isPostgres(url: string): boolean {
  return /^postgres(ql)?:/.test(url);
}

function postgresOf(url: string): PostgresConnectionOptions {
  return { connectionString: url, migrate: true, connectionTimeoutMillis: 5_000 };
}

function redisProducerOf(url: string): ConnectionOptions {
  return { url, maxRetriesPerRequest: 1, connectTimeout: 5_000 };
}
