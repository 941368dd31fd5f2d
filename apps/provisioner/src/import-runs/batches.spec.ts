import type { SourceEntry } from '../model/source-system.js';
import { batchesOf, type Batch } from './batches.js';

const mebibyte = 1024 * 1024;

const entry = (path: string, size: number, more: Partial<SourceEntry> = {}): SourceEntry => ({
  ...{ path, type: 'file' as const, size, mtimeNs: 0n, ctimeNs: 0n, version: 'v1', etag: null, mode: 0o644 },
  ...more,
});

async function split(entries: readonly SourceEntry[]): Promise<Batch[]> {
  async function* walk(): AsyncGenerator<readonly SourceEntry[]> {
    for (const each of entries) yield await Promise.resolve([each]);
  }
  const batches: Batch[] = [];
  for await (const batch of batchesOf(walk())) batches.push(batch);
  return batches;
}

const pathsOf = (batches: readonly Batch[]): string[] =>
  batches.map(({ entries }) => entries.map(({ path }) => path).join(' '));

describe(batchesOf.name, () => {
  it('should return no batch when the walk is empty', async () => {
    expect(await split([])).toEqual([]);
  });

  it('should keep the order of the walk and put each large file into a batch of its own', async () => {
    const entries = [
      entry('a', 0, { type: 'directory' }),
      entry('a/small', 10),
      entry('b', 8 * mebibyte),
      entry('c', 8 * mebibyte + 1),
      entry('d', 5 * mebibyte),
      entry('e', 5 * mebibyte),
      entry('f', 0),
    ];
    expect(pathsOf(await split(entries))).toEqual(['a a/small', 'b', 'c', 'd', 'e f']);
  });

  it('should limit the number of entries of a batch', async () => {
    const batches = await split(Array.from({ length: 1000 }, (_, at) => entry(String(at), 1)));
    expect(batches.map(({ entries }) => entries.length)).toEqual([256, 256, 256, 232]);
  });

  it('should return another key when the path, size or version of a file differs', async () => {
    const variants = [[entry('a', 1)], [entry('b', 1)], [entry('a', 2)], [entry('a', 1, { version: 'v2' })], []];
    const keys = await Promise.all(variants.map(async (files) => (await split([...files, entry('z', 1)]))[0]?.key));
    expect(new Set(keys).size).toBe(variants.length);
    expect((await split([entry('a', 1), entry('z', 1)]))[0]?.key).toBe(keys[0]);
  });
});
