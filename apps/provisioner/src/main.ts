import './garbage.js';
import { startServer } from './server.js';
import { startFailureOf } from './start-failure.js';
import { traceProcess } from './tracing.js';

try {
  await traceProcess('provisioner');
  await startServer(process.env);
} catch (error) {
  process.stderr.write(`${startFailureOf(error)}\n`);
  process.exit(1);
}
