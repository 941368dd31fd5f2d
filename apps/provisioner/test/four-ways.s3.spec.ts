import { chmod, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Bucket } from '../src/s3/bucket.js';
import { PosixStorage } from '../src/storage/posix/posix-storage.js';
import { S3Storage } from '../src/storage/s3/s3-storage.js';
import type { Storage } from '../src/model/storage.js';
import { aBag, aDataPackage, type Files } from './support/delivery.js';
import { everythingIn, makeBucket, s3Settings } from './support/s3.js';
import { storedFiles } from './support/stored-files.js';
import { TestSystem } from './support/system.js';
import type { Import } from '../../../test/support/documented-body.ts';
import { until } from '../../../test/support/until.ts';

const combinations = (['folder', 'S3'] as const).flatMap((from) =>
  (['folder', 'S3'] as const).map((to) => ({ from, to })),
);

/** Files smaller and larger than a part, and names that keys and URLs encode differently. */
const files: Files = {
  'a.txt': 'hello',
  'deep/er/b.bin': Buffer.alloc(17 * 1024 * 1024, 'abc'),
  empty: '',
  'odd/new\nline': 'x',
  'odd/-dash é"\\': 'y',
  'odd/plus+and space%20&': 'z',
};

describe.each(combinations)('an import from $from to $to', ({ from, to }) => {
  let system: TestSystem;
  let storage: Storage;
  let sourceBucket: Bucket;
  let storageBucket: Bucket;
  /** The import of DS-1. */
  let first: Import;

  beforeAll(async () => {
    const source = await makeBucket();
    const stored = await makeBucket();
    ({ bucket: sourceBucket } = source);
    ({ bucket: storageBucket } = stored);
    system = await TestSystem.create({
      ...(from === 'S3' && s3Settings('SOURCE', source.url)),
      ...(to === 'S3' && s3Settings('STORAGE', stored.url)),
    });
    storage = to === 'S3' ? new S3Storage(storageBucket) : new PosixStorage(system.storage);
    await deliver('SUB-1', {
      'submission.json': JSON.stringify({ title: 'One' }),
      ...below('DS-1', aDataPackage('First', files)),
      ...below('DS-2', aBag({ 'one.txt': '1', 'two.txt': '2' })),
    });
    await system.startServer();
    await system.startWorker();
    first = await importDataset('DS-1');
  });

  afterAll(async () => {
    await system.stop();
  });

  async function deliver(reference: string, delivered: Files): Promise<void> {
    if (from === 'folder') return system.deliver(reference, delivered);
    for (const [path, bytes] of Object.entries(delivered)) {
      await sourceBucket.put(`${reference}/${path}`, Buffer.from(bytes));
    }
  }

  async function importDataset(id: string): Promise<Import> {
    const { status, body } = await system.post('/datasets/srcsys/import', { dataset_id: id });
    expect(status).toBe(202);
    return system.ended(body.id);
  }

  /** Changes or removes a file of the stored dataset DS-3 without the service. */
  async function put(path: string, bytes: string | Buffer | null): Promise<void> {
    if (to === 'S3') {
      const key = `data/raw/DS-3/${path}`;
      if (bytes === null) await storageBucket.remove(key);
      else await storageBucket.put(key, Buffer.from(bytes));
      return;
    }
    const file = join(system.storage, 'data/raw/DS-3', path);
    await chmod(dirname(file), 0o750);
    await rm(file, { force: true });
    if (bytes !== null) await writeFile(file, bytes, { mode: 0o440 });
    await chmod(dirname(file), 0o550);
  }

  it('should publish the delivered bytes and leave no other data', async () => {
    const subject = { kind: 'dataset', id: 'DS-1' } as const;
    expect(first).toMatchObject({ state: 'finished', result: { path: 'data/raw/DS-1/' } });
    const expected = aDataPackage('First', files);
    expect(await storedFiles(storage, subject)).toEqual(Object.keys(expected).sort());
    for (const [path, bytes] of Object.entries(expected)) {
      const stored = Buffer.concat(await storage.openFile(subject, path).toArray());
      expect(stored.equals(Buffer.from(bytes))).toBe(true);
    }
    if (to === 'S3') {
      const { keys, uploads } = await everythingIn(storageBucket);
      expect(keys).toContain('data/.commits/raw/DS-1.json');
      expect(keys.filter((key) => /\.staging|\.requests\/(open|requests|status)/.test(key))).toEqual([]);
      expect(uploads).toBe(0);
    }
  });

  it('should answer a second request with 200, and with 409 when the source has changed', async () => {
    await deliver('SUB-2', { 'DS-4/a.txt': 'a' });
    await importDataset('DS-4');
    expect((await system.post('/datasets/srcsys/import', { dataset_id: 'DS-4' })).status).toBe(200);
    await deliver('SUB-2', { 'DS-4/later.txt': 'later' });
    // Only a walk shows a change below a prefix of a bucket.
    await system.post('/datasets/srcsys/import?dry_run=true&wait=30', { dataset_id: 'DS-4' });
    expect((await system.post('/datasets/srcsys/import', { dataset_id: 'DS-4' })).status).toBe(409);
  });

  it('should verify a published dataset without differences', async () => {
    const { body } = await system.post('/datasets/srcsys/DS-1/verify?wait=30');
    expect(body).toMatchObject({ kind: 'verify', state: 'finished' });
  });

  it('should report changed, removed and added files when the dataset is verified', async () => {
    await deliver('SUB-2', below('DS-3', aDataPackage('Third', files)));
    await importDataset('DS-3');
    await put('a.txt', 'hellO');
    await put('deep/er/b.bin', Buffer.alloc(17 * 1024 * 1024, 'abd'));
    await put('empty', '1');
    await put('odd/new\nline', null);
    await put('odd/extra&', '1');
    const { body } = await system.post('/datasets/srcsys/DS-3/verify?wait=30');
    expect(body).toMatchObject({ kind: 'verify', state: 'failed' });
    const { items } = (await system.get(`/imports/${body.id}/files?state=failed`)).body;
    expect(items.map(({ path, code }) => [path, code])).toEqual([
      ['a.txt', 'checksum.mismatch'],
      ['deep/er/b.bin', 'checksum.mismatch'],
      ['empty', 'size.mismatch'],
      ['odd/extra&', 'file.unlisted'],
      ['odd/new\nline', 'file.missing'],
    ]);
  });

  it('should reject a delivery and name every file when files differ from their declaration', async () => {
    await deliver('SUB-2', below('DS-5', aBag({ 'one.txt': '1', 'two.txt': '2' })));
    await deliver('SUB-2', { 'DS-5/data/one.txt': 'X', 'DS-5/data/two.txt': 'Y' });
    const ended = await importDataset('DS-5');
    expect(ended).toMatchObject({ state: 'rejected', error: { code: 'checksum.mismatch' } });
    const { body } = await system.get(`/imports/${ended.id}/files?state=failed`);
    expect(body.items.map(({ path }) => path)).toEqual(['data/one.txt', 'data/two.txt']);
    expect(await storage.findCommit({ kind: 'dataset', id: 'DS-5' })).toBeNull();
    if (to === 'S3') {
      const { keys } = await everythingIn(storageBucket);
      expect(keys.filter((key) => key.startsWith('data/raw/DS-5') || key.includes('.staging'))).toEqual([]);
    }
  });

  it('should import a submission as a collection and remove it from the diff', async () => {
    const diff = async (): Promise<string[]> =>
      (await system.get('/submissions/srcsys/diff')).body.items.map(({ reference }) => reference);
    expect(await diff()).toContain('SUB-1');
    const { body } = await system.post('/submissions/srcsys/import', { reference: 'SUB-1' });
    expect(await system.ended(body.id)).toMatchObject({ state: 'finished' });
    const files = (): Promise<readonly string[]> => storedFiles(storage, { kind: 'submission', id: 'SUB-1' });
    // The description is written after the import has ended, and again when a dataset is imported.
    await until(async () => (await files()).length > 1);
    expect(await files()).toEqual(['ro-crate-metadata.json', 'submission.json']);
    expect(await storage.findCommit({ kind: 'submission', id: 'SUB-1' })).toMatchObject({
      members: ['DS-1', 'DS-2'],
      description: { title: 'One' },
    });
    expect(await diff()).not.toContain('SUB-1');
    expect((await system.get('/datasets/srcsys/diff?submission=SUB-1')).body.items.map(({ id }) => id)).toEqual([
      'DS-2',
    ]);
  });
});

function below(folder: string, delivered: Files): Files {
  return Object.fromEntries(Object.entries(delivered).map(([path, bytes]) => [join(folder, path), bytes]));
}
