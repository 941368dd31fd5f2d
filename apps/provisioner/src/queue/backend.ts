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

/** After a worker is killed, another worker takes over its imports within `lockDuration` + `stalledInterval`. */
const workerTimes = { lockDuration: 10_000, stalledInterval: 5_000, drainDelay: 5 } as const;

/** Practically unlimited, because the worker counts crashes itself (failure `no_progress`). */
const maxStalledCount = 1_000_000;

/**
 * Opens a queue for adding jobs.
 *
 * @param url the setting `QUEUE_URL`, whose scheme selects the backend
 * @param telemetry carries traces from the producer of a job to its worker; undefined if tracing is off
 */
export function openQueue<Data>(name: string, url: string, telemetry?: Telemetry): Queue<Data> {
  const traced = telemetry && { telemetry };
  if (isPostgres(url))
    return new Queue(name, { ...traced, connection: postgresOf(url) }, createPostgresBackend) as never;
  return new Queue(name, { ...traced, connection: redisProducerOf(url), skipWaitingForReady: true }) as never;
}

/** Opens a worker, which accepts jobs from a queue. */
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
  // The types of the backends differ in a parameter that does not matter here.
  return new Worker(name, processor as never, { ...all, connection }, createPostgresBackend) as never;
}

/** Whether a `QUEUE_URL` selects Postgres. All other valid URLs select Redis. */
export function isPostgres(url: string): boolean {
  return /^postgres(ql)?:/.test(url);
}

function postgresOf(url: string): PostgresConnectionOptions {
  return { connectionString: url, migrate: true, connectionTimeoutMillis: 5_000 };
}

function redisProducerOf(url: string): ConnectionOptions {
  return { url, maxRetriesPerRequest: 1, connectTimeout: 5_000 };
}
