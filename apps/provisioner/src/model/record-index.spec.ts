import { RecordIndex } from './record-index.js';
import type { ListedRecord, Records } from './records.js';

describe(RecordIndex.name, () => {
  /** Functions that complete the listings in progress, oldest first. */
  const listings: ((names: Promise<readonly string[]>) => void)[] = [];
  let index: RecordIndex<string>;

  beforeEach(() => {
    listings.length = 0;
    const records: Partial<Records> = {
      list: async () => {
        const names = await new Promise<readonly string[]>((resolve) => listings.push(resolve));
        return names.map((name): ListedRecord => ({ name, version: '1' }));
      },
      readAll: (paths) => Promise.resolve(paths),
    };
    index = new RecordIndex(
      records as Records,
      'folder',
      (text) => text,
      (id) => id,
    );
  });

  const subjects = async (): Promise<readonly string[]> => [...(await index.all()).bySubject.keys()];

  /** Returns the function that completes the next listing, when that listing has started. */
  async function nextListing(): Promise<(names: Promise<readonly string[]>) => void> {
    for (;;) {
      const next = listings.shift();
      if (next) return next;
      await Promise.resolve();
    }
  }

  it('should list once for all callers that call during a listing, and return no listing older than the call', async () => {
    const before = subjects();
    const after = [subjects(), subjects()];
    (await nextListing())(Promise.resolve([]));
    expect(await before).toEqual([]);
    (await nextListing())(Promise.resolve(['DS-1']));
    expect(await Promise.all(after)).toEqual([['folder/DS-1'], ['folder/DS-1']]);
    expect(listings).toEqual([]);
  });

  it('should list again after a listing has failed', async () => {
    const [before, after] = [subjects(), subjects()];
    (await nextListing())(Promise.reject(new Error('away')));
    await expect(before).rejects.toThrow('away');
    (await nextListing())(Promise.resolve([]));
    expect(await after).toEqual([]);
  });
});
