import { endOnSignals } from '@rdc/http';
import { startFailureOf } from './health/start-failure.js';
import { traceProcess } from './process/tracing.js';
import { startServer } from './server.js';

endOnSignals();
try {
  await traceProcess('provisioner');
  await startServer(process.env);
} catch (error) {
  process.stderr.write(`${startFailureOf(error)}\n`);
  process.exit(1);
}
