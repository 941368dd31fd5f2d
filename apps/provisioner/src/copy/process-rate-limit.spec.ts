import { jest } from '@jest/globals';
import { RateLimit } from './process-rate-limit.js';
import { reserve } from './rate-limit.js';

/** The time in milliseconds between two counts of the workers. */
const countMs = 2_000;

const rate = (bytesPerSecond: number): { minute: number; bytesPerSecond: number }[] => [{ minute: 0, bytesPerSecond }];

describe(RateLimit.name, () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['hrtime'] });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it.each([
    [1_000, 0, 3, 1_000],
    [0, 900, 3, 300],
    [1_000, 900, 3, 300],
    [100, 900, 3, 100],
    [0, 0, 3, 0],
    [0, 2, 3, 1],
  ])(
    'should limit a worker to its own rate and to its share of the total (own %i, total %i, workers %i: %i)',
    async (own, total, copying, expected) => {
      const workers = { count: (isCopying: boolean) => Promise.resolve(isCopying ? copying : copying - 1) };
      const limit = new RateLimit(rate(own), { changes: rate(total), workers });
      await jest.advanceTimersByTimeAsync(countMs);
      expect(limit.shared[0]).toBe(BigInt(expected));
    },
  );

  it('should count itself as copying when bytes were reserved since the last count', async () => {
    const counted: boolean[] = [];
    const count = (isCopying: boolean): Promise<number> => Promise.resolve(counted.push(isCopying));
    const limit = new RateLimit([], { changes: rate(1_000), workers: { count } });
    await jest.advanceTimersByTimeAsync(countMs);
    reserve(limit.shared, 1);
    await jest.advanceTimersByTimeAsync(2 * countMs);
    expect(counted).toEqual([false, true, false]);
  });

  it('should keep the last share when the storage is down', async () => {
    const counts = [() => Promise.resolve(1), () => Promise.reject(new Error('down'))];
    const limit = new RateLimit([], {
      changes: rate(1_000),
      workers: { count: () => counts.shift()?.() ?? Promise.resolve(9) },
    });
    await jest.advanceTimersByTimeAsync(2 * countMs);
    expect(limit.shared[0]).toBe(500n);
  });
});
