import { startWorker } from './server.js';
import { startFailureOf } from './start-failure.js';

try {
  await startWorker(process.env);
} catch (error) {
  process.stderr.write(`${startFailureOf(error)}\n`);
  process.exit(1);
}
