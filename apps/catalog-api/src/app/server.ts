import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import compress, { type FastifyCompressOptions } from '@fastify/compress';
import { awaitDependency, createApp, createLogger } from '@rdc/http';
import type { Environment } from '@rdc/settings';
import { constants } from 'node:zlib';
import { Client } from 'pg';
import { AppModule } from './app.module.js';
import { serveConsole } from './console/console.js';
import { isPostgresDown, translatePostgresError } from '../platform/database/postgres-errors.js';
import { docsPath, openApiPath, serveDocs } from './openapi/openapi-document.js';
import { catalogSettings } from '../platform/settings/catalog.settings.js';

/**
 * Compression costs time that the caller waits for: the middle levels, and what came out of the database goes out at
 * once, not when the compressor has gathered enough.
 */
const compression: FastifyCompressOptions = {
  encodings: ['br', 'gzip'],
  brotliOptions: {
    params: { [constants.BROTLI_PARAM_QUALITY]: 4 },
    flush: constants.BROTLI_OPERATION_FLUSH,
  },
  zlibOptions: { flush: constants.Z_SYNC_FLUSH },
};

/** Less than the minute after which most proxies give up: the caller reads the reason. */
const readDeadlineMs = 30_000;

/**
 * Starts the service as its environment says; resolves when it answers.
 *
 * @throws InvalidSettingsError, UnknownSchemaError, or the failure of Postgres or of the port
 */
export async function startServer(environment: Environment): Promise<NestFastifyApplication> {
  const settings = catalogSettings(environment);
  const logger = createLogger(settings.LOG_LEVEL);
  await awaitDependency('Postgres at DATABASE_URL', () => connectToPostgres(settings.DATABASE_URL), {
    ...{ seconds: settings.START_TIMEOUT, logger },
    isTemporary: isPostgresDown,
  });
  const app = await createApp(AppModule.forEnvironment(environment), {
    bodyLimit: settings.BODY_LIMIT,
    basePath: settings.BASE_PATH ?? '',
    trustedProxies: settings.TRUSTED_PROXIES,
    gatewaySecret: settings.GATEWAY_SECRET,
    corsOrigins: settings.CORS_ORIGINS,
    publicPaths: ['/api/dcat', '/schemas', openApiPath],
    docsPath,
    requestTimeoutMs: settings.REQUEST_TIMEOUT * 1000,
    readDeadline: { ms: readDeadlineMs, dependency: 'database' },
    logger,
    translateError: translatePostgresError,
    prepare: async (instance) => {
      await instance.register(compress, compression);
      await serveConsole(instance, { basePath: settings.BASE_PATH ?? '' });
    },
  });
  serveDocs(app);
  await app.listen(settings.PORT, settings.HOST);
  return app;
}

async function connectToPostgres(connectionString: string): Promise<void> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } finally {
    await client.end().catch(() => undefined);
  }
}
