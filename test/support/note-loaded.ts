import { registerHooks } from 'node:module';

/**
 * Writes each loaded module of an optional package to the error output. Loaded by `--import` before a program.
 * OpenTelemetry's API package does not count, because the metrics library always loads it.
 */
const noted = /\/node_modules\/(@opentelemetry\/(?!api\/)|bullmq-otel\/|@aws-sdk\/|@bull-board\/|@nestjs\/swagger\/)/;

registerHooks({
  load(url, context, nextLoad) {
    if (noted.test(url)) process.stderr.write(`loaded ${url}\n`);
    return nextLoad(url, context);
  },
});
