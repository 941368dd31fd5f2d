import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { aBag, aDataPackage } from './support/delivery.js';
import { TestSystem } from './support/system.js';
import type { Import } from '../../../test/support/documented-body.ts';
import { until } from '../../../test/support/until.ts';

const run = promisify(execFile);

const anyText = expect.any(String) as string;

describe('an import', () => {
  let system: TestSystem;

  beforeAll(async () => {
    system = await TestSystem.create();
    await system.startServer();
    await system.startWorker();
  });

  afterAll(async () => {
    await system.stop();
  });

  async function importDataset(id: string): Promise<Import> {
    const { status, body } = await system.post('/datasets/srcsys/import', { dataset_id: id });
    expect(status).toBe(202);
    return system.ended(body.id);
  }

  describe('of a data package', () => {
    let ended: Import;
    const delivered = (): string => join(system.source, 'SUB-1/DS-1');
    const published = (): string => join(system.storage, 'data/raw/DS-1');

    beforeAll(async () => {
      const big = Buffer.alloc(9 * 1024 * 1024, 'abc');
      const files = { 'a.txt': 'hello', 'deep/er/b.bin': big, 'odd/new\nline': 'x', 'odd/-dash': '', 'odd/é"\\': 'y' };
      await system.deliver('SUB-1', {
        'README.md': 'documents',
        ...Object.fromEntries(
          Object.entries(aDataPackage('First', files)).map(([path, bytes]) => [`DS-1/${path}`, bytes]),
        ),
      });
      await mkdir(join(delivered(), 'empty'));
      ended = await importDataset('DS-1');
    });

    it('should report the path and the number of published files', () => {
      expect(ended).toMatchObject({ state: 'finished', result: { path: 'data/raw/DS-1/', files: 6 }, error: null });
    });

    it('should publish the delivered bytes', async () => {
      await run('diff', ['-r', '-x', '.import', '-x', '.ready', delivered(), published()]);
    });

    it('should publish a manifest that sha256sum accepts', async () => {
      await run('sha256sum', ['-c', '--strict', '.import/manifest-sha256.txt'], { cwd: published() });
    });

    it('should publish files and folders that only their owner and group can read', async () => {
      const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o7777).toString(8);
      expect([await modeOf(join(published(), 'deep/er/b.bin')), await modeOf(published())]).toEqual(['440', '550']);
    });

    it('should keep the time of the last change of a file', async () => {
      const timeOf = async (root: string): Promise<number> => (await stat(join(root, 'deep/er/b.bin'))).mtimeMs;
      expect(Math.abs((await timeOf(published())) - (await timeOf(delivered())))).toBeLessThan(0.01);
    });

    it('should leave no staging folder and no open request of the dataset', async () => {
      expect(await readdir(join(system.storage, 'data/.staging/dataset'))).not.toContain('DS-1');
      const open = join(system.storage, 'data/.requests/open/dataset');
      await until(async () => !(await readdir(open)).some((name) => /^ds-1\./i.test(name)));
    });

    it('should respond 200 with the same import when the dataset is requested again', async () => {
      const { status, body } = await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' });
      expect(status).toBe(200);
      expect(body).toMatchObject({ id: ended.id, state: 'finished' });
    });
  });

  it('should respond 409 when a walk has found a change since the import', async () => {
    await system.deliver('SUB-8', { 'DS-8/deep/a.txt': 'a' });
    const imported = await importDataset('DS-8');
    const plan = () => system.post('/datasets/srcsys/import?dry_run=true', { dataset_id: 'DS-8' });
    expect((await plan()).body.state).toBe('imported');
    await writeFile(join(system.source, 'SUB-8/DS-8/deep/later.txt'), 'later');
    const submit = () => system.post('/datasets/srcsys/import', { dataset_id: 'DS-8' });
    expect(await submit()).toMatchObject({ status: 200, body: { id: imported.id } });
    expect((await plan()).body.state).toBe('differs');
    expect((await system.get('/datasets/srcsys/DS-8')).body.state).toBe('differs');
    const { status, body } = await submit();
    expect([status, body.more]).toMatchObject([409, { code: 'source.changed_since_import', scanned_at: anyText }]);
  });

  it('should respond 409 when the folder of the dataset shows a change since the import', async () => {
    await system.deliver('SUB-12', { 'DS-12/a.txt': 'a' });
    await importDataset('DS-12');
    await writeFile(join(system.source, 'SUB-12/DS-12/later.txt'), 'later');
    const { status, body } = await system.post('/datasets/srcsys/import', { dataset_id: 'DS-12' });
    expect([status, body.more.code]).toEqual([409, 'source.changed_since_import']);
    expect((await system.get('/datasets/srcsys/DS-12')).body.state).toBe('differs');
  });

  it('should create one import when a dataset is submitted several times at once', async () => {
    await system.deliver('SUB-2', { 'DS-2/a.txt': 'a' });
    const responses = await Promise.all(
      [1, 2, 3, 4].map(() => system.post('/datasets/srcsys/import', { dataset_id: 'DS-2' })),
    );
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1);
    await system.ended(responses[0]?.body.id ?? '');
  });

  it('should reject a bag and list every differing file until the source changes', async () => {
    const bag = aBag({ 'one.txt': '1', 'two.txt': '2', 'three.txt': '3' });
    await system.deliver('SUB-3', {
      ...Object.fromEntries(Object.entries(bag).map(([path, bytes]) => [`DS-3/${path}`, bytes])),
      'DS-3/data/one.txt': 'X',
      'DS-3/data/two.txt': 'Y',
    });
    const ended = await importDataset('DS-3');
    expect(ended).toMatchObject({ state: 'rejected', error: { code: 'checksum.mismatch' } });
    const { body } = await system.get(`/imports/${ended.id}/files?state=failed`);
    expect(body.items.map(({ path }) => path)).toEqual(['data/one.txt', 'data/two.txt']);
    for (const folder of ['data/raw', 'data/.staging/dataset']) {
      expect(await readdir(join(system.storage, folder)).catch(() => [])).not.toContain('DS-3');
    }
    const again = await system.post('/datasets/srcsys/import', { dataset_id: 'DS-3' });
    expect(again.body.more.code).toBe('source.rejected');
    await system.deliver('SUB-3', { 'DS-3/data/one.txt': '1', 'DS-3/data/two.txt': '2' });
    expect(await importDataset('DS-3')).toMatchObject({ state: 'finished' });
  });

  it('should reject a delivery and report the path when it contains a symbolic link', async () => {
    await system.deliver('SUB-4', { 'DS-4/a.txt': 'a' });
    await symlink('/etc/passwd', join(system.source, 'SUB-4/DS-4/link'));
    expect(await importDataset('DS-4')).toMatchObject({
      state: 'rejected',
      error: { code: 'file.symlink', file: 'link' },
    });
  });

  it('should store the address of the caller in the import log only', async () => {
    await system.deliver('SUB-7', { 'DS-7/a.txt': 'a' });
    await symlink('a.txt', join(system.source, 'SUB-7/DS-7/link'));
    expect(await importDataset('DS-7')).toMatchObject({ state: 'rejected' });
    const search = ['-rl', '--exclude-dir=done', 'requested_from', join(system.storage, 'data')];
    const elsewhere = (): Promise<string> =>
      run('grep', search)
        .then(({ stdout }) => stdout)
        .catch(() => '');
    // An open request is closed shortly after its ending is stored.
    await until(async () => !(await elsewhere()).includes('/.requests/requests/'));
    expect(await elsewhere()).toBe('');
  });

  it('should import a submission as a collection with its members, and the requested datasets', async () => {
    await system.deliver('SUB-5', {
      'submission.json': JSON.stringify({ title: 'Five' }),
      'agreement.txt': 'yes',
      'DS-51/a': '1',
      'DS-52/b': '2',
    });
    const submitted = await system.importSubmission('SUB-5', ['DS-51']);
    expect(submitted.status).toBe(202);
    expect(submitted.body.datasets).toMatchObject([{ dataset_id: 'DS-51', error: null }]);
    expect(await system.ended(submitted.body.id)).toMatchObject({ state: 'finished' });
    await system.ended(submitted.body.datasets[0]?.import_id ?? '');
    const published = join(system.storage, 'data/projects/SUB-5');
    expect((await readdir(published)).filter((name) => !name.startsWith('ro-crate')).sort()).toEqual([
      '.import',
      'agreement.txt',
      'submission.json',
    ]);
    const commit = JSON.parse(await readFile(join(published, '.import/commit.json'), 'utf8')) as unknown;
    expect(commit).toMatchObject({ members: ['DS-51', 'DS-52'], description: { title: 'Five' } });
    expect((await system.get('/submissions/srcsys/SUB-5')).body).toMatchObject({
      state: 'partly_imported',
      missing_datasets: ['DS-52'],
    });
    expect((await system.post('/submissions/srcsys/import', { reference: 'SUB-5' })).status).toBe(200);
  });

  it('should find every missing, changed and added file when a dataset is verified', async () => {
    await system.deliver('SUB-6', { 'DS-6/a': '1', 'DS-6/b': '2' });
    await importDataset('DS-6');
    const clean = await system.post('/datasets/srcsys/DS-6/verify?wait=20');
    expect(clean).toMatchObject({ status: 200, body: { kind: 'verify', state: 'finished' } });
    const published = join(system.storage, 'data/raw/DS-6');
    await run('chmod', ['-R', 'u+w', published]);
    await writeFile(join(published, 'a'), 'X');
    await run('mv', [join(published, 'b'), join(published, 'c')]);
    const { body } = await system.post('/datasets/srcsys/DS-6/verify?wait=20');
    expect(body.state).toBe('failed');
    const files = (await system.get(`/imports/${body.id}/files`)).body.items;
    expect(files.map(({ path, code }) => `${path} ${String(code)}`)).toEqual([
      'a mode.changed',
      'a checksum.mismatch',
      'b file.missing',
      'c file.unlisted',
    ]);
  });

  it('should return an import and its files when its day was removed from the log', async () => {
    await system.deliver('SUB-9', { 'DS-9/a.txt': 'a' });
    const { id } = await importDataset('DS-9');
    const previous = (await system.get(`/imports/${id}/files`)).text;
    await rm(join(system.storage, 'data/.requests/done'), { recursive: true });
    expect((await system.get('/imports')).body.items).toEqual([]);
    expect((await system.get(`/imports/${id}`)).body).toMatchObject({ id, subject: 'DS-9', state: 'finished' });
    expect((await system.get(`/imports/${id}/files`)).text).toBe(previous);
    expect((await system.post(`/imports/${id}/retry`)).body.more.code).toBe('import.state');
  });
});
