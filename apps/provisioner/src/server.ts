import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DependencyDownError, type AppError } from '@rdc/errors';
import { awaitDependency, createApp, createLogger, reach, type Patience } from '@rdc/http';
import type { Environment } from '@rdc/settings';
import { armFailpoint } from './process/failpoint.js';
import { pingQueue } from './queue/queue-answer.js';
import { provisionerSettings, type ProvisionerSettings } from './settings/provisioner.settings.js';
import { SourceFailure } from './model/source-system.js';
import { answerOf } from './storage/storage-fault.js';
import { StorageFailure } from './model/storage-failure.js';

/** What is stored has the modes that we give it, whatever mask the account has. */
const fileMask = 0o022;

/** Less than the minute after which most proxies give up: the caller reads the reason. */
const readDeadlineMs = 30_000;
/** The path of the OpenAPI description for people. */
const docsPath = '/provisioner/docs';

/** The path of the OpenAPI description for programs. */
const openApiPath = `${docsPath}/openapi.json`;

/** Starts the HTTP service as its environment says; resolves when it answers. */
export async function startServer(environment: Environment): Promise<NestFastifyApplication> {
  const { AppModule } = await import('./app.module.js');
  const { serveDocs } = await import('./openapi.js');
  const { serveQueueBoard } = await import('./queue/queue-board.js');
  const app = await makeApp(environment, AppModule.forEnvironment(environment));
  serveDocs(app, docsPath, openApiPath);
  await serveQueueBoard(app);
  return listen(app, environment);
}

/** Starts a worker, which loads nothing of the interface; resolves when it takes jobs and answers health probes. */
export async function startWorker(environment: Environment): Promise<NestFastifyApplication> {
  const { WorkerModule } = await import('./worker.module.js');
  const app = await makeApp(environment, WorkerModule.forEnvironment(environment));
  return listen(app, environment);
}

async function makeApp(environment: Environment, module: DynamicModule): Promise<NestFastifyApplication> {
  armFailpoint(environment);
  process.umask(fileMask);
  const settings = provisionerSettings(environment);
  const logger = createLogger(settings.LOG_LEVEL);
  await awaitPlaces(settings, logger);
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
 * What is reached over the network may come later than we do; the store of a bucket only where there is a bucket. All are
 * waited for at once: the time is that of the start, and a start-up probe counts it as a whole.
 */
async function awaitPlaces(settings: ProvisionerSettings, logger: Patience['logger']): Promise<void> {
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

/** Returns the answer to a failure of the storage or the source; undefined for another failure. */
function translateFailure(error: unknown): AppError | undefined {
  if (error instanceof StorageFailure) return answerOf(error);
  return error instanceof SourceFailure ? new DependencyDownError('source', error) : undefined;
}
