import { startServer } from './server.js';
import { failureMessage } from './failure-message.js';

try {
  await startServer(process.env);
} catch (error) {
  process.stderr.write(`${failureMessage(error)}\n`);
  process.exit(1);
}
