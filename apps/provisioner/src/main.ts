import { startServer } from './server.js';
import { startFailureOf } from './start-failure.js';

try {
  await startServer(process.env);
} catch (error) {
  process.stderr.write(`${startFailureOf(error)}\n`);
  process.exit(1);
}
