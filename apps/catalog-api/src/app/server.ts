import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import compress, { type FastifyCompressOptions } from '@fastify/compress';
import { createApp, createLogger } from '@rdc/http';
import type { Environment } from '@rdc/settings';
import { constants } from 'node:zlib';
import { AppModule } from './app.module.js';
import { daisyAddresses } from './daisy-addresses.js';
import { serveConsole } from './console/console.js';
import { translatePostgresError } from '../platform/database/postgres-errors.js';
import { docsPath, openApiPath, serveDocs } from './openapi/openapi-document.js';
import { catalogSettings } from './catalog.settings.js';
import { awaitPostgres } from '../platform/database/await-postgres.js';
import { DatabaseSettings } from '../platform/database/database.settings.js';
import { HttpSettings } from '../platform/settings/http.settings.js';

/**
 * The compression of responses. Higher levels would delay responses more than the smaller size saves. Each chunk from
 * the database is flushed at once, so the caller does not wait until the compressor's buffer is full.
 */
const compression: FastifyCompressOptions = {
  encodings: ['br', 'gzip'],
  brotliOptions: {
    params: { [constants.BROTLI_PARAM_QUALITY]: 4 },
    flush: constants.BROTLI_OPERATION_FLUSH,
  },
  zlibOptions: { flush: constants.Z_SYNC_FLUSH },
};

/** The time limit of a read. Most proxies give up after 60 s, and the caller should receive the reason first. */
const readDeadlineMs = 30_000;

/**
 * Starts the service with the settings of an environment. Resolves when the service accepts requests.
 *
 * @throws InvalidSettingsError if a setting is invalid
 * @throws UnknownSchemaError if the schema of the database does not fit this version
 * @throws Error if Postgres does not answer or if the port is in use
 */
export async function startServer(environment: Environment): Promise<NestFastifyApplication> {
  const loaded = catalogSettings(environment);
  const settings = loaded.get(HttpSettings);
  const logger = createLogger(settings.LOG_LEVEL);
  await awaitPostgres(loaded.get(DatabaseSettings), { seconds: settings.START_TIMEOUT, logger });
  const app = await createApp(AppModule.forEnvironment(environment), {
    bodyLimit: settings.BODY_LIMIT,
    basePath: settings.BASE_PATH ?? '',
    ...(settings.DAISY_ALIASES && { aliases: daisyAddresses }),
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
  await serveDocs(app, { basePath: settings.BASE_PATH ?? '', contactEmail: settings.CONTACT_EMAIL });
  await app.listen(settings.PORT, settings.HOST);
  return app;
}
