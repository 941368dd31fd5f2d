import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from '@rdc/http';
import type { Environment } from '@rdc/settings';
import { pino } from 'pino';
import { AppModule } from './app.module.js';
import { translatePostgresError } from './database/postgres-errors.js';
import { catalogSettings } from './settings.js';

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
    logger: pino({ level: settings.LOG_LEVEL }),
    translateError: translatePostgresError,
  });
  await app.listen(settings.PORT, settings.HOST);
  return app;
}
