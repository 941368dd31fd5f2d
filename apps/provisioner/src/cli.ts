import { processOutput } from '@rdc/cli';
import { endOnSignals } from '@rdc/http';
import { runProvisioner } from './cli/program.js';
import { traceCommand } from './process/tracing.js';

// The reader of the output has ended, as in `provisioner list | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

endOnSignals();
const code = await runProvisioner(process.argv.slice(2), process.env, processOutput, traceCommand);
// The open connection to an unavailable queue would keep the process alive.
process.exit(code);
