import { WalkedEntries } from './walked-entries.js';
import type { SourceEntry } from '../model/source-system.js';

describe(WalkedEntries.name, () => {
  const file: SourceEntry = {
    ...{ path: 'a/\u00e9 \n"', type: 'file', size: 2 ** 40, mtimeNs: 1_700_000_000_123_456_789n, ctimeNs: -1n },
    ...{ version: '1:2:3', etag: null, mode: 0o640 },
  };
  const link: SourceEntry = { ...file, path: 'link', type: 'symlink', size: 0, target: 'a' };
  let walks: number;

  beforeEach(() => {
    walks = 0;
  });

  it('should return every entry again without a walk', async () => {
    const seen = new WalkedEntries(walkAgain);
    seen.add([file]);
    seen.add([]);
    seen.add([link, { ...file, etag: '"tag"' }]);
    expect(await again(seen)).toStrictEqual([file, link, { ...file, etag: '"tag"' }]);
    expect(await again(seen)).toHaveLength(3);
    expect(walks).toBe(0);
    expect(await again(new WalkedEntries(walkAgain))).toEqual([]);
  });

  it('should walk the source again when the entries are too many or released', async () => {
    const large = new WalkedEntries(walkAgain);
    const path = 'long/'.repeat(200);
    for (let run = 0; run < 100; run += 1) large.add(Array.from({ length: 500 }, () => ({ ...file, path })));
    expect(await again(large)).toEqual([link]);
    large.release();
    const released = new WalkedEntries(walkAgain);
    released.add([file]);
    released.release();
    released.add([file]);
    expect(await again(released)).toEqual([link]);
    expect(walks).toBe(2);
  });

  async function* walkAgain(): AsyncGenerator<readonly SourceEntry[]> {
    walks += 1;
    yield await Promise.resolve([link]);
  }

  async function again(seen: WalkedEntries): Promise<SourceEntry[]> {
    const entries: SourceEntry[] = [];
    for await (const some of seen.read()) entries.push(...some);
    return entries;
  }
});
