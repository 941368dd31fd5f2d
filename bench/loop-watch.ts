/** A stop of the event loop. */
export interface LoopStop {
  /** Time for which nothing else ran, in milliseconds. */
  readonly ms: number;
  /** Time of the processor that the thread took meanwhile, in milliseconds. The rest is that of other programs. */
  readonly busyMs: number;
}

/**
 * Loaded into a service before the service itself: answers every message with the longest stop of the event loop since
 * the message before.
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
