import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** Milliseconds between two requests. */
const pauseMs = 5;

/** Milliseconds after which an answer counts as missing; the wait counts as this long. */
const patienceMs = 60_000;

/** Milliseconds for which the probe waits at rest before the attack. */
const restMs = 3_000;

/** A small request that any other caller could send. */
export interface Probe {
  readonly url: string;
  /** Key of the caller; a stranger if undefined. */
  readonly key?: string;
}

/**
 * Sends a small request again and again, and measures the longest wait for an answer. The requests are sent by a thread
 * of their own, so that the work of the attacker delays none of them.
 */
export class StopProbe {
  /** The longest wait in milliseconds while nothing attacked: the noise of the machine and of the way to the service. */
  readonly atRestMs: number;
  private readonly thread: Worker;

  private constructor(thread: Worker, atRestMs: number) {
    this.thread = thread;
    this.atRestMs = atRestMs;
  }

  /** Starts to send, and measures the wait at rest. */
  static async start(probe: Probe): Promise<StopProbe> {
    const thread = new Worker(new URL(import.meta.url), { workerData: probe });
    const started = new StopProbe(thread, 0);
    await pause(restMs / 3);
    // The first answers take longer: connections open, and code is compiled.
    await started.longestMs();
    await pause(restMs);
    return new StopProbe(thread, Math.ceil(await started.longestMs()));
  }

  /** Returns the longest wait since the last call. A request that is under way is waited for. */
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

/** Does some work. @returns its result, and the longest wait of the probe meanwhile, in milliseconds */
export async function whileProbed<T>(probe: StopProbe, work: () => Promise<T>): Promise<{ result: T; stopMs: number }> {
  await probe.longestMs();
  const result = await work();
  return { result, stopMs: await probe.longestMs() };
}

async function sendForEver({ url, key }: Probe): Promise<never> {
  let longestMs = 0;
  let isWanted = false;
  parentPort?.on('message', () => (isWanted = true));
  for (;;) {
    const begun = performance.now();
    const headers = key === undefined ? {} : { 'X-API-Key': key };
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(patienceMs) }).catch(() => undefined);
    await response?.arrayBuffer().catch(() => undefined);
    // A refused connection is no answer: a service that has ended must not look fast.
    longestMs = Math.max(longestMs, response ? performance.now() - begun : patienceMs);
    if (isWanted) {
      parentPort?.postMessage(longestMs);
      longestMs = 0;
      isWanted = false;
    }
    await pause(pauseMs);
  }
}

if (!isMainThread) await sendForEver(workerData as Probe);
