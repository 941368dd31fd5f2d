import { registerHooks } from 'node:module';

/**
 * Loaded by `--import` before a program: writes every module of OpenTelemetry that it loads to its error output. The bare
 * interface (`@opentelemetry/api`) does not count: the library of metrics loads it whatever is set.
 */
registerHooks({
  load(url, context, nextLoad) {
    if (/\/node_modules\/(@opentelemetry\/(?!api\/)|bullmq-otel\/)/.test(url)) process.stderr.write(`loaded ${url}\n`);
    return nextLoad(url, context);
  },
});
