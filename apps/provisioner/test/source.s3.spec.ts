import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bucket } from '../src/s3/bucket.js';
import { FolderSource } from '../src/source/folder/folder-source.js';
import { S3Source } from '../src/source/s3/s3-source.js';
import {
  SourceChangedError,
  type SourceEntry,
  type SourcePlace,
  type SourceSystem,
} from '../src/source/source-system.js';
import { layFiles, type Files } from './support/delivery.js';
import { makeBucket } from './support/s3.js';

describe.each(['folder', 'S3'] as const)('a source in %s', (kind) => {
  let source: SourceSystem;
  let root: string;
  let bucket: Bucket;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'source-'));
    ({ bucket } = await makeBucket());
    source = kind === 'S3' ? new S3Source(bucket, '.ready') : new FolderSource(root, '.ready');
    await lay({
      'SUB-1/submission.json': JSON.stringify({ title: 'One' }),
      'SUB-1/DS-1/a/b.txt': 'hello',
      'SUB-1/DS-1/a.txt': '',
      'SUB-1/DS-1/a0 +%é\n"': 'odd',
      'SUB-1/DS-1/.ready': '',
      'SUB-1/DS-2/x': 'x',
      'SUB-2/DS-3/x': 'x',
      'SUB-1/.hidden/x': 'x',
    });
  });

  afterAll(() => rm(root, { recursive: true }));

  async function lay(files: Files): Promise<void> {
    if (kind === 'folder') return layFiles(root, files);
    for (const [path, bytes] of Object.entries(files)) await bucket.put(path, Buffer.from(bytes));
  }

  const dataset = (id: string, submission = 'SUB-1'): SourcePlace => ({ kind: 'dataset', id, submission });

  async function entriesOf(place: SourcePlace): Promise<SourceEntry[]> {
    const items = [];
    for await (const some of source.walk(place)) items.push(...some.flatMap(({ entry }) => entry ?? []));
    return items;
  }

  async function problemsOf(place: SourcePlace): Promise<string[]> {
    const items = [];
    for await (const some of source.walk(place))
      for (const { problem } of some) if (problem) items.push(`${problem.code} ${problem.path ?? ''}`);
    return items;
  }

  async function readAll(place: SourcePlace, entry: SourceEntry): Promise<string> {
    const chunks = [];
    const buffer = Buffer.alloc(64);
    for await (const chunk of source.open(place, entry, () => Promise.resolve(buffer))) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks).toString();
  }

  it('should list submissions and datasets by name', async () => {
    await source.probe();
    expect(await source.list()).toEqual([
      { reference: 'SUB-1', datasets: ['DS-1', 'DS-2'] },
      { reference: 'SUB-2', datasets: ['DS-3'] },
    ]);
  });

  it('should read what a submission says, and know markers', async () => {
    expect(await source.describe('SUB-1')).toMatchObject({ title: 'One', submitter: null });
    expect(await source.describe('SUB-2')).toBeNull();
    expect(await source.isMarked(dataset('DS-1'))).toBe(true);
    expect(await source.isMarked(dataset('DS-2'))).toBe(false);
    expect(await source.read(dataset('DS-1'), 'a/b.txt', 5)).toEqual(Buffer.from('hello'));
    expect(await source.read(dataset('DS-1'), 'a/b.txt', 4)).toBeNull();
    expect(await source.read(dataset('DS-1'), 'none', 4)).toBeNull();
  });

  it('should walk a place in one order, a folder before what is in it, without the marker', async () => {
    const entries = await entriesOf(dataset('DS-1'));
    const paths = entries.map(({ path, type }) => `${path}${type === 'directory' ? '/' : ''}`);
    expect([...paths].sort()).toEqual(['a.txt', 'a/', 'a/b.txt', 'a0 +%é\n"']);
    expect(paths.indexOf('a/')).toBeLessThan(paths.indexOf('a/b.txt'));
    expect(await entriesOf(dataset('DS-1'))).toEqual(entries);
    expect(await entriesOf(dataset('none'))).toEqual([]);
    const documents = await entriesOf({ kind: 'submission', id: 'SUB-1', submission: 'SUB-1' });
    expect(documents.map(({ path }) => path)).toEqual(['submission.json']);
  });

  it('should give the bytes of each file as it was walked', async () => {
    const files = (await entriesOf(dataset('DS-1'))).filter(({ type }) => type === 'file');
    const contents = await Promise.all(files.map(async (file) => [file.path, await readAll(dataset('DS-1'), file)]));
    expect(Object.fromEntries(contents)).toEqual({ 'a.txt': '', 'a/b.txt': 'hello', 'a0 +%é\n"': 'odd' });
  });

  it('should refuse a file that changed or went since it was walked', async () => {
    const [file] = await entriesOf(dataset('DS-2'));
    if (!file) throw new Error('nothing was walked');
    await lay({ 'SUB-1/DS-2/x': 'y' });
    await expect(readAll(dataset('DS-2'), file)).rejects.toThrow(SourceChangedError);
    await expect(readAll(dataset('DS-2'), { ...file, path: 'gone' })).rejects.toThrow(SourceChangedError);
  });

  it('should name every entry whose name cannot be kept', async () => {
    await lay({ 'SUB-2/DS-4/.import/x': '1', 'SUB-2/DS-4/A/x': '1', 'SUB-2/DS-4/a/x': '1', 'SUB-2/DS-4/a/y': '1' });
    expect(await problemsOf(dataset('DS-4', 'SUB-2'))).toEqual(['name.reserved .import', 'name.collision a']);
  });
});

describe('a source in S3', () => {
  it('should refuse keys that no file system can keep, and take a key that ends with a slash as a folder', async () => {
    const { bucket } = await makeBucket();
    for (const key of ['a', 'a/b', 'c//d', 'e/../f', 'empty/']) await bucket.put(`S/D/${key}`, Buffer.from(''));
    const found = [];
    for await (const items of new S3Source(bucket, '.ready').walk({
      kind: 'dataset',
      submission: 'S',
      id: 'D',
    })) {
      for (const { entry, problem } of items)
        found.push(problem ? `${problem.code} ${problem.path ?? ''}` : `${entry.type} ${entry.path}`);
    }
    expect(found).toEqual([
      'file a',
      'name.collision a',
      'name.invalid c//d',
      'name.invalid e/../f',
      'directory empty',
    ]);
  });
});
