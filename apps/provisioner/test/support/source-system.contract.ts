import type { SourceSystem } from '../../src/source/source-system.js';
import type { Files } from './delivery.js';

/**
 * What every source system must do.
 *
 * @param deliver lays the files of a submission, and gives the source that holds them
 */
export function itIsASourceSystem(deliver: (reference: string, files: Files) => Promise<SourceSystem>): void {
  const place = { kind: 'dataset', submission: 'SUB-1', id: 'DS-1' } as const;
  const documents = { kind: 'submission', submission: 'SUB-1', id: 'SUB-1' } as const;

  async function paths(source: SourceSystem, of: typeof place | typeof documents = place): Promise<string[]> {
    const found: string[] = [];
    for await (const items of source.walk(of)) found.push(...items.flatMap(({ entry }) => entry?.path ?? []));
    return found;
  }

  it('should list submissions and datasets by name', async () => {
    await deliver('SUB-2', { 'B/x': '', 'A/x': '', 'note.txt': '' });
    const source = await deliver('SUB-1', { 'DS-1/x': '' });
    await source.probe();
    expect(await source.list()).toEqual([
      { reference: 'SUB-1', datasets: ['DS-1'] },
      { reference: 'SUB-2', datasets: ['A', 'B'] },
    ]);
  });

  it('should walk a dataset twice the same, a folder before what is in it, without the marker', async () => {
    const source = await deliver('SUB-1', { 'DS-1/b/c': '123', 'DS-1/a': '1', 'DS-1/b.txt': '', 'DS-1/.ready': '' });
    const found = await paths(source);
    expect([...found].sort()).toEqual(['a', 'b', 'b.txt', 'b/c']);
    expect(found.indexOf('b')).toBeLessThan(found.indexOf('b/c'));
    expect(await paths(source)).toEqual(found);
    for await (const items of source.walk(place)) {
      const file = items.find(({ entry }) => entry?.path === 'b/c');
      expect(file?.entry).toMatchObject({ type: 'file', size: 3 });
    }
  });

  it('should take the files beside the datasets for the documents', async () => {
    const source = await deliver('SUB-1', { 'DS-1/a': '1', 'note.txt': '1' });
    expect(await paths(source, documents)).toEqual(['note.txt']);
  });

  it('should walk nothing where nothing is', async () => {
    const source = await deliver('SUB-2', { 'DS-2/a': '1' });
    expect(await paths(source)).toEqual([]);
    expect(await source.isMarked(place)).toBe(false);
    expect(await source.read(place, 'a', 10)).toBeNull();
    expect(await source.describe('SUB-1')).toBeNull();
  });

  it.each(['DS-1/.ready', '.ready'])('should see the marker %s', async (marker) => {
    const source = await deliver('SUB-1', { 'DS-1/a': '1' });
    expect(await source.isMarked(place)).toBe(false);
    await deliver('SUB-1', { [marker]: '' });
    expect(await source.isMarked(place)).toBe(true);
  });

  it('should read a small file, and none that is larger than the limit', async () => {
    const source = await deliver('SUB-1', { 'DS-1/a/b': '12345' });
    expect(await source.read(place, 'a/b', 5)).toEqual(Buffer.from('12345'));
    expect(await source.read(place, 'a/b', 4)).toBeNull();
  });

  it('should read how a submission describes itself, and bear with nonsense', async () => {
    const source = await deliver('SUB-1', { 'submission.json': '{"title": "T", "submitter": 7}' });
    expect(await source.describe('SUB-1')).toMatchObject({ title: 'T', submitter: null });
    await deliver('SUB-1', { 'submission.json': '[1' });
    expect(await source.describe('SUB-1')).toBeNull();
  });
}
