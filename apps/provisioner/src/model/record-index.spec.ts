import type { Subject } from './identifier.js';
import { RecordIndex } from './record-index.js';
import type { ListedRecord, Records } from './records.js';

describe(RecordIndex.name, () => {
  /** Ends the listing that was begun first of those that go on. */
  const listings: ((names: Promise<readonly string[]>) => void)[] = [];
  let index: RecordIndex<{ readonly subject: Subject }>;

  beforeEach(() => {
    listings.length = 0;
    const records: Partial<Records> = {
      list: async () => {
        const names = await new Promise<readonly string[]>((resolve) => listings.push(resolve));
        return names.map((name): ListedRecord => ({ name, version: '1' }));
      },
      readAll: (paths) => Promise.resolve(paths),
    };
    index = new RecordIndex(records as Records, 'folder', (id) => ({ subject: { kind: 'dataset', id } }));
  });

  const subjects = async (): Promise<readonly string[]> => [...(await index.all()).bySubject.keys()];

  /** The next listing, once it has begun. */
  async function nextListing(): Promise<(names: Promise<readonly string[]>) => void> {
    for (;;) {
      const next = listings.shift();
      if (next) return next;
      await Promise.resolve();
    }
  }

  it('should not answer with a listing that is older than the question, and list once for all who ask meanwhile', async () => {
    const before = subjects();
    const after = [subjects(), subjects()];
    (await nextListing())(Promise.resolve([]));
    expect(await before).toEqual([]);
    (await nextListing())(Promise.resolve(['DS-1']));
    expect(await Promise.all(after)).toEqual([['folder/DS-1'], ['folder/DS-1']]);
    expect(listings).toEqual([]);
  });

  it('should list anew after a listing has failed', async () => {
    const [before, after] = [subjects(), subjects()];
    (await nextListing())(Promise.reject(new Error('away')));
    await expect(before).rejects.toThrow('away');
    (await nextListing())(Promise.resolve([]));
    expect(await after).toEqual([]);
  });
});
