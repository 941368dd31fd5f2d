import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DependencyDownError, type AppError } from '@rdc/errors';
import { createApp } from '@rdc/http';
import type { Environment } from '@rdc/settings';
import { pino } from 'pino';
import { AppModule, WorkerModule } from './app.module.js';
import { serveDocs } from './openapi.js';
import { provisionerSettings } from './settings.js';
import { SourceFailure } from './source/source-system.js';
import { StorageFailure } from './storage/storage-failure.js';

/** Starts the HTTP service as its environment says; resolves when it answers. */
export async function startServer(environment: Environment): Promise<NestFastifyApplication> {
  const app = await makeApp(environment, AppModule.forEnvironment(environment));
  serveDocs(app);
  return listen(app, environment);
}

/** Starts a worker; resolves when it takes jobs and answers health probes. */
export async function startWorker(environment: Environment): Promise<NestFastifyApplication> {
  const app = await makeApp(environment, WorkerModule.forEnvironment(environment));
  return listen(app, environment);
}

async function makeApp(environment: Environment, module: DynamicModule): Promise<NestFastifyApplication> {
  const settings = provisionerSettings(environment);
  return createApp(module, {
    bodyLimit: settings.BODY_LIMIT,
    basePath: settings.BASE_PATH ?? '',
    trustedProxies: settings.TRUSTED_PROXIES,
    gatewaySecret: settings.GATEWAY_SECRET,
    logger: pino({ level: settings.LOG_LEVEL }),
    translateError: translateFailure,
  });
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

/** A source or storage that does not answer is a dependency that is down. */
function translateFailure(error: unknown): AppError | undefined {
  if (error instanceof StorageFailure) return new DependencyDownError('storage', error);
  return error instanceof SourceFailure ? new DependencyDownError('source', error) : undefined;
}
