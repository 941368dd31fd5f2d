import { SourceChangedError, type SourceEntry, type SourceSystem } from '../../src/model/source-system.js';
import type { Files } from './delivery.js';

/**
 * Tests the contract of a source system.
 *
 * @param deliver writes the files of a submission, and returns the source that contains them
 */
export function itIsASourceSystem(deliver: (reference: string, files: Files) => Promise<SourceSystem>): void {
  const place = { kind: 'dataset', submission: 'SUB-1', id: 'DS-1' } as const;
  const documents = { kind: 'submission', submission: 'SUB-1', id: 'SUB-1' } as const;

  async function paths(source: SourceSystem, of: typeof place | typeof documents = place): Promise<string[]> {
    const found: string[] = [];
    for await (const items of source.walk(of)) found.push(...items.flatMap(({ entry }) => entry?.path ?? []));
    return found;
  }

  async function filesOf(source: SourceSystem): Promise<SourceEntry[]> {
    const found: SourceEntry[] = [];
    for await (const items of source.walk(place)) found.push(...items.flatMap(({ entry }) => entry ?? []));
    return found.filter(({ type }) => type === 'file');
  }

  async function contentOf(source: SourceSystem, entry: SourceEntry): Promise<string> {
    const chunks: Buffer[] = [];
    const buffer = Buffer.alloc(4);
    for await (const chunk of source.open(place, entry, () => Promise.resolve(buffer))) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks).toString();
  }

  it('should list submissions and datasets by name', async () => {
    await deliver('SUB-2', { 'B/x': '', 'A/x': '', 'note.txt': '' });
    const source = await deliver('SUB-1', { 'DS-1/x': '', '.hidden/x': '' });
    await source.probe();
    expect(await source.list()).toEqual([
      { reference: 'SUB-1', datasets: ['DS-1'] },
      { reference: 'SUB-2', datasets: ['A', 'B'] },
    ]);
  });

  it('should walk a dataset in a stable order, a folder before its entries, without the marker', async () => {
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

  it('should walk the files next to the datasets as documents', async () => {
    const source = await deliver('SUB-1', { 'DS-1/a': '1', 'note.txt': '1' });
    expect(await paths(source, documents)).toEqual(['note.txt']);
  });

  it('should walk no entries when the place does not exist', async () => {
    const source = await deliver('SUB-2', { 'DS-2/a': '1' });
    expect(await paths(source)).toEqual([]);
    expect(await source.isMarked(place)).toBe(false);
  });

  it('should read the bytes of each walked file', async () => {
    const files = { 'a.txt': '', 'a/b.txt': 'hello', 'a0 +%\u00e9\n"': 'odd' };
    const laid = Object.entries(files).map(([path, content]) => [`DS-1/${path}`, content]);
    const source = await deliver('SUB-1', Object.fromEntries(laid) as Files);
    const walked = await filesOf(source);
    const contents = await Promise.all(walked.map(async (file) => [file.path, await contentOf(source, file)]));
    expect(Object.fromEntries(contents)).toEqual(files);
  });

  it.each([
    ['a file', '1'],
    ['an empty file', ''],
  ])('should fail to read %s when it was replaced or removed after the walk', async (_, bytes) => {
    const source = await deliver('SUB-1', { 'DS-1/a': bytes });
    const [file] = await filesOf(source);
    if (!file) throw new Error('nothing was walked');
    await deliver('SUB-1', { 'DS-1/a': '2' });
    await expect(contentOf(source, file)).rejects.toThrow(SourceChangedError);
    await expect(contentOf(source, { ...file, path: 'gone' })).rejects.toThrow(SourceChangedError);
  });

  it('should report every entry whose name is refused', async () => {
    const source = await deliver('SUB-1', { 'DS-1/.import/x': '', 'DS-1/A/x': '', 'DS-1/a/x': '', 'DS-1/a/y': '' });
    const found: string[] = [];
    for await (const items of source.walk(place))
      for (const { problem } of items) if (problem) found.push(`${problem.code} ${problem.path ?? ''}`);
    expect(found).toEqual(['name.reserved .import', 'name.collision a']);
  });

  it.each(['DS-1/.ready', '.ready'])('should find the marker %s', async (marker) => {
    const source = await deliver('SUB-1', { 'DS-1/a': '1' });
    expect(await source.isMarked(place)).toBe(false);
    await deliver('SUB-1', { [marker]: '' });
    expect(await source.isMarked(place)).toBe(true);
  });
}
