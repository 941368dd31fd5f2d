import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Finding } from './attack.ts';

/** Milliseconds between two requests. */
const pauseMs = 5;

/** Milliseconds after which an answer counts as missing. Its wait counts as this time. */
const patienceMs = 60_000;

/** Milliseconds for which the probe is measured at rest before the attack. */
const restMs = 3_000;

/** Milliseconds of processor time whose elapsed time is measured at rest. */
const workMs = 100;

/** A small request that any other caller could send. */
export interface Probe {
  readonly url: string;
  /** Key of the caller; a stranger if undefined. */
  readonly key?: string;
}

/**
 * A probe that sends small requests repeatedly and measures the longest wait for an answer. A separate thread sends the
 * requests, so that the work of the attacker does not delay them.
 */
export class StopProbe {
  /** The longest wait in milliseconds before the attack. */
  private readonly atRestMs: number;
  /** Elapsed time of work as a multiple of its processor time: above 1 if other processes share the processors. */
  private readonly slowness: number;
  private readonly url: string;
  private readonly thread: Worker;

  private constructor(thread: Worker, { url }: Probe, atRestMs: number, slowness: number) {
    this.thread = thread;
    this.url = url;
    this.atRestMs = atRestMs;
    this.slowness = slowness;
  }

  /** Starts sending, and measures the noise of the machine and of the connection to the service. */
  static async start(probe: Probe): Promise<StopProbe> {
    const thread = new Worker(new URL(import.meta.url), { workerData: probe });
    const started = new StopProbe(thread, probe, 0, 1);
    await pause(restMs / 3);
    // The first answers take longer: connections open, and code is compiled.
    await started.longestMs();
    await pause(restMs);
    const atRestMs = await started.longestMs();
    return new StopProbe(thread, probe, atRestMs, slownessNow());
  }

  /** Returns a bound on a stop, extended by the noise that this probe measured at rest. */
  boundWithNoise(ms: number): number {
    return Math.ceil(ms * this.slowness + this.atRestMs);
  }

  /** The noise as a line of the table. */
  get noise(): Finding {
    const [rest, slowness] = [this.atRestMs.toFixed(0), this.slowness.toFixed(1)];
    const answer = `waits up to ${rest} ms, work takes ${slowness} times its processor time; the bounds below include both`;
    return { attack: 'none: a probe at rest', route: `GET ${new URL(this.url).pathname}`, answer, withstood: true };
  }

  /** Waits for the current request. @returns the longest wait since the previous call */
  async longestMs(): Promise<number> {
    const answered = once(this.thread, 'message') as Promise<[number]>;
    this.thread.postMessage('longest');
    const [ms] = await answered;
    return ms;
  }

  async end(): Promise<void> {
    await this.thread.terminate();
  }
}

/** Does some work. @returns its result, and the longest wait of the probe during the work, in milliseconds */
export async function whileProbed<T>(probe: StopProbe, work: () => Promise<T>): Promise<{ result: T; stopMs: number }> {
  await probe.longestMs();
  const result = await work();
  return { result, stopMs: await probe.longestMs() };
}

function slownessNow(): number {
  const begun = performance.now();
  const before = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(before);
    const busyMs = (user + system) / 1000;
    if (busyMs >= workMs) return Math.max(1, (performance.now() - begun) / busyMs);
  }
}

async function sendForEver({ url, key }: Probe): Promise<never> {
  let longestMs = 0;
  const wanted = { longest: false };
  parentPort?.on('message', () => (wanted.longest = true));
  for (;;) {
    const begun = performance.now();
    const headers = key === undefined ? {} : { 'X-API-Key': key };
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(patienceMs) }).catch(() => undefined);
    await response?.arrayBuffer().catch(() => undefined);
    // A refused connection counts as a missing answer, so that an ended service does not look fast.
    longestMs = Math.max(longestMs, response ? performance.now() - begun : patienceMs);
    if (wanted.longest) {
      parentPort?.postMessage(longestMs);
      longestMs = 0;
      wanted.longest = false;
    }
    await pause(pauseMs);
  }
}

if (!isMainThread) await sendForEver(workerData as Probe);
