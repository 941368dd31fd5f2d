import { mapConcurrently, forEachConcurrently } from './call-for-each.js';

describe(forEachConcurrently.name, () => {
  it('should call for each item once, so many at once', async () => {
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

  it('should begin no call after one has failed, and tell of it once the others have ended', async () => {
    const begun: number[] = [];
    let end = (): void => undefined;
    const slow = new Promise<void>((resolve) => (end = resolve));
    let isTold = false;
    const calls = forEachConcurrently([1, 2, 3, 4, 5, 6], 2, async (item) => {
      begun.push(item);
      if (item === 1) await slow;
      else if (item === 3) throw new Error('3 failed');
    }).finally(() => (isTold = true));
    calls.catch(() => undefined);
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    expect(isTold).toBe(false);
    end();
    await expect(calls).rejects.toThrow('3 failed');
    expect(begun).toEqual([1, 2, 3]);
  });

  it('should tell of what cannot even be listed', async () => {
    async function* items(): AsyncGenerator<number> {
      yield 1;
      await Promise.reject(new Error('no list'));
    }
    await expect(forEachConcurrently(items(), 3, () => Promise.resolve())).rejects.toThrow('no list');
  });
});

describe(mapConcurrently.name, () => {
  it('should answer in the order of the items, whichever call ends first', async () => {
    const answers = mapConcurrently([30, 1, 20], 3, async (ms) => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      return String(ms);
    });
    expect(await answers).toEqual(['30', '1', '20']);
  });
});
