/** A stop of the event loop. */
export interface LoopStop {
  /** Time for which nothing else ran, in milliseconds. */
  readonly ms: number;
  /** Processor time of the thread during the stop, in milliseconds. Other programs used the rest. */
  readonly busyMs: number;
}

/**
 * Answers every message with the longest stop of the event loop since the previous message. Loaded into a service before
 * the service's own code.
 */
let last = { at: performance.now(), busy: busyNow() };
let longest: LoopStop = { ms: 0, busyMs: 0 };

setInterval(note, 1).unref();

process.on('message', () => {
  note();
  process.send?.(longest);
  longest = { ms: 0, busyMs: 0 };
});
process.channel?.unref();

function note(): void {
  const now = { at: performance.now(), busy: busyNow() };
  const ms = now.at - last.at;
  if (ms > longest.ms) longest = { ms, busyMs: now.busy - last.busy };
  last = now;
}

function busyNow(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
