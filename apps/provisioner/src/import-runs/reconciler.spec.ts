import { jest } from '@jest/globals';
import type { ImportQueue } from '../queue/import-queue.js';
import type { ImportRequest } from '../model/import-record.js';
import { Reconciler } from './reconciler.js';
import type { RequestLog } from '../model/request-log.js';

const open = [{ id: 'IMPORT-1' }] as unknown as readonly ImportRequest[];

describe(Reconciler.name, () => {
  let running: number;
  let rounds: number;
  let mostRunning: number;
  /** Ends the running round. */
  let end: () => void;
  let isSlow: boolean;
  let reconciler: Reconciler;
  const queued: unknown[] = [];

  beforeEach(async () => {
    jest.useFakeTimers();
    [running, rounds, mostRunning, isSlow] = [0, 0, 0, false];
    const listOpen = async (): Promise<readonly ImportRequest[]> => {
      rounds += 1;
      mostRunning = Math.max(mostRunning, (running += 1));
      if (isSlow) await new Promise<void>((resolve) => (end = resolve));
      running -= 1;
      return open;
    };
    const addAll = (requests: unknown): Promise<void> => Promise.resolve(void queued.push(requests));
    reconciler = new Reconciler({ listOpen } as unknown as RequestLog, { addAll } as unknown as ImportQueue);
    await reconciler.onApplicationBootstrap();
    isSlow = true;
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('should queue open requests at the start, every minute, and after a slow round', async () => {
    expect([rounds, queued.at(-1)]).toEqual([1, open]);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(rounds).toBe(2);
    await jest.advanceTimersByTimeAsync(600_000);
    expect([rounds, running]).toEqual([2, 1]);
    end();
    await jest.advanceTimersByTimeAsync(60_000);
    expect([rounds, mostRunning]).toEqual([3, 1]);
  });

  it('should queue open requests once more when it is triggered during a round', async () => {
    reconciler.runNow();
    await jest.advanceTimersByTimeAsync(0);
    for (let times = 0; times < 5; times += 1) reconciler.runNow();
    await jest.advanceTimersByTimeAsync(1_000);
    expect([rounds, running]).toEqual([2, 1]);
    end();
    await jest.advanceTimersByTimeAsync(0);
    expect([rounds, mostRunning]).toEqual([3, 1]);
    end();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(rounds).toBe(3);
  });

  it('should start no round and wait for the running round when it is stopped', async () => {
    reconciler.runNow();
    await jest.advanceTimersByTimeAsync(0);
    let isStopped = false;
    const stopping = reconciler.onApplicationShutdown().then(() => (isStopped = true));
    reconciler.runNow();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(isStopped).toBe(false);
    end();
    await stopping;
    await jest.advanceTimersByTimeAsync(600_000);
    expect(rounds).toBe(2);
  });

  it('should stop when the running round does not end', async () => {
    reconciler.runNow();
    await jest.advanceTimersByTimeAsync(0);
    const stopping = reconciler.onApplicationShutdown();
    await jest.advanceTimersByTimeAsync(10_000);
    await stopping;
    expect(running).toBe(1);
  });
});
