/**
 * Measures the stops of the event loop of the process that imports this module. `SIGUSR2` starts the measurement. When
 * the process ends, the longest stops are written to the file that `STOP_REPORT` names.
 */
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** The longest stops, in milliseconds. */
export interface Stops {
  /** Elapsed time, which includes the work of other processes. */
  readonly clockMs: number;
  /** Processor time of the main thread between two turns of its event loop. */
  readonly processorMs: number;
}

const everyMs = 2;

if (isMainThread) {
  const look = (): { clock: number; processor: number } => {
    const { user, system } = process.threadCpuUsage();
    return { clock: performance.now(), processor: (user + system) / 1000 };
  };
  let last = look();
  let stops: Stops = { clockMs: 0, processorMs: 0 };
  setInterval(() => {
    const now = look();
    stops = {
      clockMs: Math.max(stops.clockMs, now.clock - last.clock - everyMs),
      processorMs: Math.max(stops.processorMs, now.processor - last.processor),
    };
    last = now;
  }, everyMs).unref();
  process.on('SIGUSR2', () => {
    last = look();
    stops = { clockMs: 0, processorMs: 0 };
  });
  process.on('exit', () => {
    writeFileSync(process.env['STOP_REPORT'] ?? '', JSON.stringify(stops));
  });
}
