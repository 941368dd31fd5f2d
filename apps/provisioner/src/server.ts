import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DependencyDownError, type AppError } from '@rdc/errors';
import { awaitDependency, createApp, createLogger, reach, type Patience } from '@rdc/http';
import type { Environment } from '@rdc/settings';
import { armFailpoint } from './process/failpoint.js';
import { pingQueue } from './queue/ping-queue.js';
import { provisionerSettings, type ProvisionerSettings } from './settings/provisioner.settings.js';
import { SourceFailure } from './model/source-system.js';
import { answerOf } from './storage/storage-fault.js';
import { StorageFailure } from './model/storage-failure.js';

/** The file mode creation mask. It makes the modes of stored files independent of the account's mask. */
const fileMask = 0o022;

/** Maximum duration of a read. Less than the usual proxy timeout of a minute, so that the caller gets the reason. */
const readDeadlineMs = 30_000;

/** The path of the OpenAPI document as a page. */
const docsPath = '/provisioner/docs';

/** The path of the OpenAPI document as JSON. */
const openApiPath = `${docsPath}/openapi.json`;

/** Starts the HTTP service. Resolves when it accepts requests. @param environment the settings */
export async function startServer(environment: Environment): Promise<NestFastifyApplication> {
  const { AppModule } = await import('./app.module.js');
  const { serveDocs } = await import('./openapi.js');
  const { serveQueueBoard } = await import('./queue/queue-board.js');
  const app = await createService(environment, AppModule.forEnvironment(environment));
  const { BASE_PATH: basePath = '', CONTACT_EMAIL: contactEmail } = provisionerSettings(environment);
  await serveDocs(app, { path: docsPath, jsonPath: openApiPath, basePath, contactEmail });
  await serveQueueBoard(app);
  return listen(app, environment);
}

/** Starts a worker without loading the HTTP interface. Resolves when the worker accepts jobs and health probes. */
export async function startWorker(environment: Environment): Promise<NestFastifyApplication> {
  const { WorkerModule } = await import('./worker.module.js');
  const app = await createService(environment, WorkerModule.forEnvironment(environment));
  return listen(app, environment);
}

async function createService(environment: Environment, module: DynamicModule): Promise<NestFastifyApplication> {
  armFailpoint(environment);
  process.umask(fileMask);
  const settings = provisionerSettings(environment);
  const logger = createLogger(settings.LOG_LEVEL);
  await awaitDependencies(settings, logger);
  return createApp(module, {
    bodyLimit: settings.BODY_LIMIT,
    basePath: settings.BASE_PATH ?? '',
    trustedProxies: settings.TRUSTED_PROXIES,
    gatewaySecret: settings.GATEWAY_SECRET,
    corsOrigins: settings.CORS_ORIGINS,
    publicPaths: [openApiPath],
    docsPath,
    requestTimeoutMs: settings.REQUEST_TIMEOUT * 1000,
    readDeadline: { ms: readDeadlineMs, dependency: 'storage' },
    logger,
    translateError: translateFailure,
  });
}

/**
 * Waits for the queue and the stores of buckets, which may start later than this process. All waits run concurrently,
 * because `START_TIMEOUT` limits the whole start.
 */
async function awaitDependencies(settings: ProvisionerSettings, logger: Patience['logger']): Promise<void> {
  const { START_TIMEOUT: seconds, QUEUE_URL } = settings;
  const waits = [awaitDependency('QUEUE_URL', () => pingQueue(QUEUE_URL), { seconds, logger })];
  for (const side of ['SOURCE', 'STORAGE'] as const) {
    const endpoint = settings.s3Access(side)?.endpoint;
    if (endpoint === undefined) continue;
    waits.push(awaitDependency(`${side}_S3_ENDPOINT`, () => reach(endpoint), { seconds, logger }));
  }
  for (const waited of await Promise.allSettled(waits)) if (waited.status === 'rejected') throw waited.reason;
}

async function listen(app: NestFastifyApplication, environment: Environment): Promise<NestFastifyApplication> {
  const { HOST, PORT } = provisionerSettings(environment);
  try {
    await app.listen(PORT, HOST);
    return app;
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** Returns the error response for a failure of the storage or the source; undefined for any other error. */
function translateFailure(error: unknown): AppError | undefined {
  if (error instanceof StorageFailure) return answerOf(error);
  return error instanceof SourceFailure ? new DependencyDownError('source', error) : undefined;
}
