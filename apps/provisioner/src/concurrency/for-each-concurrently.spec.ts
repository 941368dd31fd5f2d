import { mapConcurrently, forEachConcurrently } from './for-each-concurrently.js';

describe(forEachConcurrently.name, () => {
  it('should call once for each item, with the given concurrency', async () => {
    let [under, most] = [0, 0];
    const called: number[] = [];
    await forEachConcurrently([1, 2, 3, 4, 5, 6, 7].values(), 3, async (item) => {
      most = Math.max(most, (under += 1));
      await new Promise(setImmediate);
      called.push(item);
      under -= 1;
    });
    expect([most, called.sort()]).toEqual([3, [1, 2, 3, 4, 5, 6, 7]]);
  });

  it('should start no call after a failure, and reject when the calls in progress have ended', async () => {
    const started: number[] = [];
    let end = (): void => undefined;
    const slow = new Promise<void>((resolve) => (end = resolve));
    let hasSettled = false;
    const calls = forEachConcurrently([1, 2, 3, 4, 5, 6], 2, async (item) => {
      started.push(item);
      if (item === 1) await slow;
      else if (item === 3) throw new Error('3 failed');
    }).finally(() => (hasSettled = true));
    calls.catch(() => undefined);
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    expect(hasSettled).toBe(false);
    end();
    await expect(calls).rejects.toThrow('3 failed');
    expect(started).toEqual([1, 2, 3]);
  });

  it('should reject when listing the items fails', async () => {
    async function* items(): AsyncGenerator<number> {
      yield 1;
      await Promise.reject(new Error('no list'));
    }
    await expect(forEachConcurrently(items(), 3, () => Promise.resolve())).rejects.toThrow('no list');
  });

  it('should call onFailure at the first failure and close the iteration', async () => {
    const events: string[] = [];
    async function* items(): AsyncGenerator<number> {
      try {
        yield* await Promise.resolve([1, 2, 3]);
      } finally {
        events.push('closed');
      }
    }
    const call = (): Promise<void> => Promise.reject(new Error('failed'));
    await expect(forEachConcurrently(items(), 1, call, () => events.push('failure'))).rejects.toThrow('failed');
    expect(events).toEqual(['failure', 'closed']);
  });
});

describe(mapConcurrently.name, () => {
  it('should return the results in the order of the items when a later call ends first', async () => {
    let endLast = (): void => undefined;
    const last = new Promise<void>((resolve) => (endLast = resolve));
    const results = mapConcurrently(['first', 'last'], 2, async (item) => {
      if (item === 'first') await last;
      else endLast();
      return item;
    });
    expect(await results).toEqual(['first', 'last']);
  });
});
