import { registerHooks } from 'node:module';

/**
 * Loaded by `--import` before a program: writes to its error output every module that it loads of what a process has only
 * where it needs it. OpenTelemetry's bare interface does not count: the library of metrics loads it whatever is set.
 */
const noted = /\/node_modules\/(@opentelemetry\/(?!api\/)|bullmq-otel\/|@aws-sdk\/|@bull-board\/|@nestjs\/swagger\/)/;

registerHooks({
  load(url, context, nextLoad) {
    if (noted.test(url)) process.stderr.write(`loaded ${url}\n`);
    return nextLoad(url, context);
  },
});
