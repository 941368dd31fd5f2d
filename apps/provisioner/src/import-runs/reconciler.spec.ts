import { jest } from '@jest/globals';
import type { ImportQueue } from '../queue/import-queue.js';
import type { ImportRequest } from '../model/import-record.js';
import { Reconciler } from './reconciler.js';
import type { RequestLog } from '../model/request-log.js';

const open = [{ id: 'IMPORT-1' }] as unknown as readonly ImportRequest[];

describe(Reconciler.name, () => {
  let under: number;
  let rounds: number;
  let most: number;
  /** Ends the round that is under way. */
  let end: () => void;
  let isSlow: boolean;
  let reconciler: Reconciler;
  const queued: unknown[] = [];

  beforeEach(async () => {
    jest.useFakeTimers();
    [under, rounds, most, isSlow] = [0, 0, 0, false];
    const listOpen = async (): Promise<readonly ImportRequest[]> => {
      rounds += 1;
      most = Math.max(most, (under += 1));
      if (isSlow) await new Promise<void>((resolve) => (end = resolve));
      under -= 1;
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

  it('should compare at the start, every minute, and after a round that took longer than that', async () => {
    expect([rounds, queued.at(-1)]).toEqual([1, open]);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(rounds).toBe(2);
    await jest.advanceTimersByTimeAsync(600_000);
    expect([rounds, under]).toEqual([2, 1]);
    end();
    await jest.advanceTimersByTimeAsync(60_000);
    expect([rounds, most]).toEqual([3, 1]);
  });

  it('should compare once more after a round in which it was hurried, however often', async () => {
    reconciler.runNow();
    await jest.advanceTimersByTimeAsync(0);
    for (let times = 0; times < 5; times += 1) reconciler.runNow();
    await jest.advanceTimersByTimeAsync(1_000);
    expect([rounds, under]).toEqual([2, 1]);
    end();
    await jest.advanceTimersByTimeAsync(0);
    expect([rounds, most]).toEqual([3, 1]);
    end();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(rounds).toBe(3);
  });

  it('should begin none while it is stopped, which waits for the one under way, but not for ever', async () => {
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

  it('should not be kept from stopping by a round that does not end', async () => {
    reconciler.runNow();
    await jest.advanceTimersByTimeAsync(0);
    const stopping = reconciler.onApplicationShutdown();
    await jest.advanceTimersByTimeAsync(10_000);
    await stopping;
    expect(under).toBe(1);
  });
});
