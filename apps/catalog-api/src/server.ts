import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import compress, { type FastifyCompressOptions } from '@fastify/compress';
import { createApp } from '@rdc/http';
import type { Environment } from '@rdc/settings';
import { destination, pino } from 'pino';
import { constants } from 'node:zlib';
import { AppModule } from './app.module.js';
import { translatePostgresError } from './database/postgres-errors.js';
import { serveDocs } from './openapi/openapi-document.js';
import { catalogSettings } from './settings.js';

/** Compression costs time that the caller waits for: the middle levels. */
const compression: FastifyCompressOptions = {
  encodings: ['br', 'gzip'],
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
};

/**
 * Starts the service as its environment says; resolves when it answers.
 *
 * @throws InvalidSettingsError, UnknownSchemaError, or the failure of Postgres or of the port
 */
export async function startServer(environment: Environment): Promise<NestFastifyApplication> {
  const settings = catalogSettings(environment);
  const app = await createApp(AppModule.forEnvironment(environment), {
    bodyLimit: settings.BODY_LIMIT,
    basePath: settings.BASE_PATH ?? '',
    trustedProxies: settings.TRUSTED_PROXIES,
    gatewaySecret: settings.GATEWAY_SECRET,
    logger: pino({ level: settings.LOG_LEVEL }, destination({ sync: false })),
    translateError: translatePostgresError,
    prepare: (instance) => instance.register(compress, compression),
  });
  serveDocs(app);
  await app.listen(settings.PORT, settings.HOST);
  return app;
}
