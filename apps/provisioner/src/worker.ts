import './process/garbage.js';

// Only now: what these read and compile makes garbage too.
const { endOnSignals } = await import('@rdc/http');
const { startWorker } = await import('./server.js');
const { startFailureOf } = await import('./health/start-failure.js');
const { traceProcess } = await import('./process/tracing.js');

endOnSignals();
try {
  await traceProcess('provisioner-worker');
  await startWorker(process.env);
} catch (error) {
  process.stderr.write(`${startFailureOf(error)}\n`);
  process.exit(1);
}
