import { createLogger, endOnSignals } from '@rdc/http';
import { startTracing, tracing } from '@rdc/telemetry';
import { traceQueries } from './platform/database/query-spans.js';
import { failureMessage } from './app/failure-message.js';
import { startServer } from './app/server.js';
import { version } from './app/version.js';

endOnSignals();
try {
  const logger = createLogger('warn');
  await startTracing(process.env, {
    name: 'catalog-api',
    version,
    warn: (message) => {
      logger.warn(`traces: ${message}`);
    },
  });
  if (tracing.isOn) traceQueries();
  await startServer(process.env);
} catch (error) {
  process.stderr.write(`${failureMessage(error)}\n`);
  process.exit(1);
}
