import { prefetch } from './prefetch.js';

describe(prefetch.name, () => {
  /** Yields three pages, records the requested pages, and can fail at one page. */
  async function* pages(asked: number[], failAt?: number): AsyncGenerator<number> {
    for (let page = 1; page <= 3; page++) {
      asked.push(page);
      if (page === failAt) throw new Error(`page ${String(page)} is missing`);
      yield await Promise.resolve(page);
    }
  }

  it('should yield every page in order, and request only one page ahead', async () => {
    const asked: number[] = [];
    const given: [number, number][] = [];
    for await (const page of prefetch(pages(asked))) {
      await new Promise(setImmediate);
      given.push([page, asked.length]);
    }
    expect(given).toEqual([
      [1, 2],
      [2, 3],
      [3, 3],
    ]);
  });

  it('should yield the pages before a failure, and then throw the failure', async () => {
    const given: number[] = [];
    const read = async (): Promise<void> => {
      for await (const page of prefetch(pages([], 3))) {
        await new Promise(setImmediate);
        given.push(page);
      }
    };
    await expect(read()).rejects.toThrow('page 3 is missing');
    expect(given).toEqual([1, 2]);
  });

  it('should request no page after the reader stops', async () => {
    const asked: number[] = [];
    for await (const page of prefetch(pages(asked))) if (page === 1) break;
    await new Promise(setImmediate);
    expect(asked).toEqual([1, 2]);
  });
});
