import { runProvisioner } from './cli/program.js';

// As `provisioner list | head` makes it: nobody reads any more.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

// A queue that does not answer would keep its connection, and with it the process.
process.exit(await runProvisioner(process.argv.slice(2), process.env));
