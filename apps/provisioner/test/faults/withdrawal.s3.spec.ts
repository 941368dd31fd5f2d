import { jest } from '@jest/globals';
import type { Bucket } from '../../src/s3/bucket.js';
import { provisioner } from '../support/command-line.js';
import { everythingIn, makeBucket, s3Settings, testAccess } from '../support/s3.js';
import { TestSystem } from '../support/system.js';
import type { Import } from '../../../../test/support/documented-body.ts';
import { FaultProxy, type Call } from './support/fault-proxy.js';

jest.setTimeout(180_000);

/** Matches copies of the dataset's files to the prefix of the withdrawn dataset. */
const isCopyAside = ({ method, path }: Call): boolean => method === 'PUT' && /\/\.withdrawn\/.*\/data\//.test(path);

describe('a withdrawal from a bucket that failed after its first copies', () => {
  let system: TestSystem;
  let proxy: FaultProxy;
  let bucket: Bucket;

  beforeEach(async () => {
    proxy = await FaultProxy.before(testAccess.endpoint ?? '');
    const made = await makeBucket();
    bucket = made.bucket;
    system = await TestSystem.create({ ...s3Settings('STORAGE', made.url), STORAGE_S3_ENDPOINT: proxy.url });
    await system.deliver('SUB-1', { 'DS-1/data/a': 'first', 'DS-1/data/b': 'first' });
    await system.startServer();
    await system.startWorker();
    expect((await ask()).body.state).toBe('finished');
    proxy.spoil(1, isCopyAside, { kind: 'answer', status: 403, code: 'AccessDenied' });
    await provisioner(system.environment, 'withdraw', 'DS-1', '--reason', 'a test');
    proxy.spoil(0, isCopyAside, { kind: 'reset' });
  });

  afterEach(async () => {
    await system.stop();
    proxy.stop();
  });

  const ask = () => system.post('/datasets/srcsys/import?wait=60', { dataset_id: 'DS-1', reimport_of_withdrawn: true });
  const withdrawal = async (): Promise<Import | undefined> =>
    (await system.get('/imports?kind=withdraw')).body.items[0];
  const keysIn = async (folder: string): Promise<string[]> => {
    const { keys } = await everythingIn(bucket);
    return keys.filter((key) => key.startsWith(folder)).map((key) => key.slice(folder.length));
  };
  const whole = ['.import/commit.json', '.import/files.ndjson', '.import/manifest-sha256.txt', 'data/a', 'data/b'];

  it('should be completed by the next requested import', async () => {
    const { id = '', state } = (await withdrawal()) ?? {};
    expect(state).toBe('failed');
    expect((await keysIn('data/raw/DS-1/')).length).toBeGreaterThan(0);
    await system.redeliver('SUB-1', { 'DS-1/data/a': 'second' });
    const { body } = await ask();
    expect(body).toMatchObject({ state: 'finished', attempt: 1 });
    expect(body.id).not.toBe(id);
    expect((await keysIn(`data/.withdrawn/raw/DS-1.${id}/`)).sort()).toEqual(whole);
    expect((await bucket.get(`data/.withdrawn/raw/DS-1.${id}/data/a`))?.toString()).toBe('first');
    expect((await keysIn('data/raw/DS-1/')).sort()).toEqual([...whole.slice(1, 4)].sort());
    expect((await bucket.get('data/raw/DS-1/data/a'))?.toString()).toBe('second');
    expect(await keysIn('data/.staging/')).toEqual([]);
    const retry = (await system.post(`/imports/${id}/retry`)).body;
    expect(await system.ended(retry.id)).toMatchObject({ kind: 'withdraw', state: 'finished', attempt: 2 });
    expect((await system.get('/datasets/srcsys/DS-1')).body).toMatchObject({
      state: 'imported',
      import: { id: body.id },
    });
  });

  it('should be completed by its retry when an import fails to complete it', async () => {
    const { id = '' } = (await withdrawal()) ?? {};
    proxy.spoil(1, isCopyAside, { kind: 'answer', status: 403, code: 'AccessDenied' });
    const { body } = await ask();
    expect(body).toMatchObject({ state: 'failed', error: { code: 'storage.denied' } });
    expect(body.error?.message).toContain(`Withdrawal ${id} of DS-1 has to finish first`);
    await system.post(`/imports/${id}/retry`);
    expect(await system.ended(id)).toMatchObject({ state: 'finished', attempt: 2 });
    expect((await keysIn(`data/.withdrawn/raw/DS-1.${id}/`)).sort()).toEqual(whole);
    expect(await keysIn('data/raw/')).toEqual([]);
    expect((await ask()).body).toMatchObject({ state: 'finished', attempt: 1 });
  });

  it('should not be followed by an import of all datasets', async () => {
    const { id = '' } = (await withdrawal()) ?? {};
    expect((await system.get('/datasets/srcsys/DS-1')).body).toMatchObject({
      ...{ state: 'failed', imported_at: null, import: { id, state: 'failed' } },
    });
    await provisioner(system.environment, 'import', '--all');
    const { text } = await system.get('/imports/schedule');
    expect(JSON.parse(text)).toMatchObject({ last_run: { skipped: { withdrawn: 1 } } });
    expect(await keysIn('data/.commits/raw/')).toEqual([]);
  });
});
