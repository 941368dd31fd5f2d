import './process/garbage.js';
import { endOnSignals } from '@rdc/http';
import { commandOf, runProvisioner } from './cli/program.js';
import { traceCommand } from './process/tracing.js';

// As `provisioner list | head` makes it: nobody reads any more.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

endOnSignals();
const words = process.argv.slice(2);
const code = await traceCommand(`provisioner ${commandOf(words)}`, () => runProvisioner(words, process.env));
// A queue that does not answer would keep its connection, and with it the process.
process.exit(code);
