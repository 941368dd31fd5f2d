import {
  createPostgresBackend,
  Queue,
  Worker,
  type ConnectionOptions,
  type PostgresConnectionOptions,
  type Processor,
  type Telemetry,
  type WorkerOptions,
} from 'bullmq';

/** A killed worker's import is somebody else's after at most `lockDuration` + `stalledInterval`. */
const workerTimes = { lockDuration: 10_000, stalledInterval: 5_000, drainDelay: 5 } as const;

/** Crashes are counted by us (`no_progress`), not by the queue. */
const maxStalledCount = 1_000_000;

/**
 * A queue that jobs are added to.
 *
 * @param url the setting `QUEUE_URL`, whose scheme decides the backend
 * @param telemetry what carries traces through it, if they are wanted
 */
export function openQueue<Data>(name: string, url: string, telemetry?: Telemetry): Queue<Data> {
  const traced = telemetry && { telemetry };
  if (isPostgres(url))
    return new Queue(name, { ...traced, connection: postgresOf(url) }, createPostgresBackend) as never;
  return new Queue(name, { ...traced, connection: redisProducerOf(url), skipWaitingForReady: true }) as never;
}

/** Starts taking jobs. */
export function openWorker<Data>(
  name: string,
  url: string,
  processor: Processor<Data>,
  options: Pick<WorkerOptions, 'concurrency' | 'autorun' | 'telemetry'>,
): Worker<Data> {
  const all = { ...options, ...workerTimes, maxStalledCount };
  if (!isPostgres(url)) {
    return new Worker<Data>(name, processor, { ...all, connection: { url, maxRetriesPerRequest: null } });
  }
  const connection = postgresOf(url);
  // The backends differ in a type parameter that none of our calls depends on.
  return new Worker(name, processor as never, { ...all, connection }, createPostgresBackend) as never;
}

/** Whether a `QUEUE_URL` names a Postgres, and not a Redis. */
export function isPostgres(url: string): boolean {
  return /^postgres(ql)?:/.test(url);
}

function postgresOf(url: string): PostgresConnectionOptions {
  return { connectionString: url, migrate: true, connectionTimeoutMillis: 5_000 };
}

function redisProducerOf(url: string): ConnectionOptions {
  return { url, maxRetriesPerRequest: 1, connectTimeout: 5_000 };
}
