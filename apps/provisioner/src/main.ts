import './garbage.js';
import { endOnSignals } from '@rdc/http';
import { startServer } from './server.js';
import { startFailureOf } from './start-failure.js';
import { traceProcess } from './tracing.js';

endOnSignals();
try {
  await traceProcess('provisioner');
  await startServer(process.env);
} catch (error) {
  process.stderr.write(`${startFailureOf(error)}\n`);
  process.exit(1);
}
