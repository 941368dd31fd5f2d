import './garbage.js';

// Only now: what these read and compile makes garbage too.
const { endOnSignals } = await import('@rdc/http');
const { startServer } = await import('./server.js');
const { startFailureOf } = await import('./start-failure.js');
const { traceProcess } = await import('./tracing.js');

endOnSignals();
try {
  await traceProcess('provisioner');
  await startServer(process.env);
} catch (error) {
  process.stderr.write(`${startFailureOf(error)}\n`);
  process.exit(1);
}
