import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { startServer } from '../src/server.js';
import { until } from '../../../test/support/until.ts';
import { TestSystem } from './support/system.js';

const anyText = expect.any(String) as string;

/** No scan after the first one, so that only plans and imports can find a change. */
const unscanned = { SOURCE_SCAN_INTERVAL: '86400' };

describe('POST /datasets/srcsys/import?dry_run=true', () => {
  let system: TestSystem;

  beforeEach(async () => {
    system = await TestSystem.create(unscanned);
    await system.deliver('SUB-1', { 'DS-1/a': '12345', 'DS-1/deep/b': '1' });
    await system.startServer();
  });

  afterEach(() => system.stop());

  const plan = (query = '', dataset_id = 'DS-1') =>
    system.post(`/datasets/srcsys/import?dry_run=true${query}`, { dataset_id });

  it('should respond 202 with an import whose result is the plan when no worker has planned it yet', async () => {
    const first = await plan('&wait=0');
    expect(first).toMatchObject({ status: 202, body: { kind: 'plan', subject: 'DS-1', state: 'queued' } });
    expect((await plan('&wait=0')).body.id).toBe(first.body.id);
    await system.startWorker();
    expect(await system.ended(first.body.id)).toMatchObject({
      ...{ state: 'finished', result: null, error: null },
      plan: { state: 'not_imported', files: 2, bytes: 6, fits: true, problem_count: 0, scanned_at: anyText },
    });
  });

  it('should list a plan only when plans are requested', async () => {
    await system.startWorker();
    const { headers } = await plan();
    expect((await system.get('/imports')).body.items).toEqual([]);
    const { items } = (await system.get('/imports?kind=plan')).body;
    expect(items.map(({ id }) => `/imports/${id}`)).toEqual([headers.get('location')]);
  });

  it('should plan a dataset while its import is open, and cancel a plan without the import', async () => {
    const imported = await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' });
    const planned = await plan('&wait=0');
    expect([imported.status, planned.status]).toEqual([202, 202]);
    await system.post(`/imports/${planned.body.id}/cancel`);
    expect((await system.get(`/imports/${planned.body.id}`)).body.state).toBe('cancelled');
    expect((await system.get('/datasets/srcsys/DS-1')).body.state).toBe('importing');
    await system.startWorker();
    expect((await system.ended(imported.body.id)).state).toBe('finished');
    expect((await plan()).body).toMatchObject({ state: 'imported', files: 2 });
  });

  it('should respond 404 at once when the source does not contain the dataset', async () => {
    expect((await plan('', 'DS-9')).status).toBe(404);
    expect((await system.get('/imports?kind=plan')).body.items).toEqual([]);
  });

  it('should update the lists of every service when it finds a change', async () => {
    await system.startWorker();
    const other: NestFastifyApplication = await startServer(system.environment);
    const urls = [system.url, await other.getUrl()];
    const readAll = () =>
      Promise.all(urls.map((url) => system.call('GET', '/datasets/srcsys/DS-1', undefined, {}, url)));
    const tags = (): Promise<(string | null)[]> =>
      Promise.all(
        urls.map(async (url) => (await system.call('GET', '/datasets/srcsys', undefined, {}, url)).headers.get('etag')),
      );
    await until(async () => (await readAll()).every(({ body }) => 'files' in body && body.files === 2));
    const before = await tags();
    await writeFile(join(system.source, 'SUB-1/DS-1/deep/c'), '1');
    expect((await readAll()).map(({ body }) => body)).toMatchObject([{ files: 2 }, { files: 2 }]);
    expect((await plan()).body).toMatchObject({ files: 3 });
    expect((await readAll()).map(({ body }) => body)).toMatchObject([{ files: 3 }, { files: 3 }]);
    const after = await tags();
    expect(after.filter((tag, at) => tag === before[at])).toEqual([]);
    await other.close();
  });

  it('should plan again when the joined plan began before the request', async () => {
    const first = await plan('&wait=0');
    const second = plan('&wait=30');
    await system.startWorker();
    const { status, headers } = await second;
    expect([status, headers.get('location')]).not.toEqual([200, `/imports/${first.body.id}`]);
    expect(status).toBe(200);
  });
});

describe('POST /datasets/srcsys/import of a delivery that no scan has seen', () => {
  let system: TestSystem;

  afterEach(() => system.stop());

  const start = async (settings: Record<string, string> = {}): Promise<void> => {
    system = await TestSystem.create({ ...unscanned, ...settings });
    await system.deliver('SUB-0', { 'note.txt': '' });
    await system.startServer();
  };
  const submit = (dataset_id = 'DS-1') => system.post('/datasets/srcsys/import', { dataset_id });

  it('should respond 202 and end as not ready when the delivery may still change', async () => {
    await start({ SOURCE_SETTLE: '3600' });
    await system.deliver('SUB-1', { 'DS-1/a': '1' });
    const { status, body } = await submit();
    expect(status).toBe(202);
    await system.startWorker();
    expect(await system.ended(body.id)).toMatchObject({ state: 'rejected', error: { code: 'source.not_ready' } });
    const dataset = (await system.get('/datasets/srcsys/DS-1')).body;
    expect(dataset).toMatchObject({ state: 'not_imported', ready: false, files: 1 });
    expect(await submit()).toMatchObject({ status: 409, body: { more: { code: 'source.not_ready' } } });
    await system.deliver('SUB-1', { 'DS-1/.ready': '' });
    expect((await system.ended((await submit()).body.id)).state).toBe('finished');
  });

  it('should walk a delivery twice before its import when no process has walked it before', async () => {
    await start({ SOURCE_SETTLE: '2' });
    await system.deliver('SUB-1', { 'DS-1/a': '1' });
    const deliveredAt = Date.now();
    await until(() => Date.now() > deliveredAt + 2_500);
    const { body } = await submit();
    await system.startWorker();
    await until(async () => (await system.get(`/imports/${body.id}`)).body.error?.code === 'source.not_ready');
    expect((await system.get(`/imports/${body.id}`)).body.state).toBe('waiting');
    expect((await system.ended(body.id)).state).toBe('finished');
  });

  it('should respond 409 at once when only a marker completes a delivery', async () => {
    await start({ SOURCE_READY_ONLY_MARKER: 'true' });
    await system.deliver('SUB-1', { 'DS-1/a': '1' });
    expect(await submit()).toMatchObject({ status: 409, body: { more: { code: 'source.not_ready' } } });
  });

  it('should respond 202 and wait when the storage has too little free space', async () => {
    await start({ STORAGE_RESERVE: '99%' });
    await system.deliver('SUB-1', { 'DS-1/a': '1' });
    const { status, body } = await submit();
    expect(status).toBe(202);
    await system.startWorker();
    await until(async () => (await system.get(`/imports/${body.id}`)).body.state === 'waiting');
    const waiting = (await system.get(`/imports/${body.id}`)).body;
    expect(waiting).toMatchObject({ error: { code: 'storage.no_space' }, plan: { fits: false, files: 1 } });
  });

  it('should reject an unchanged delivery again without copying it', async () => {
    await start();
    await system.deliver('SUB-1', { 'DS-1/a': '1', 'DS-1/SHA256SUMS': `${'0'.repeat(64)}  a\n` });
    await system.startWorker();
    const first = await system.ended((await submit()).body.id);
    expect(first).toMatchObject({ state: 'rejected', error: { code: 'checksum.mismatch' } });
    expect((await system.get('/datasets/srcsys/DS-1')).body.state).toBe('rejected');
    expect(await submit()).toMatchObject({ status: 409, body: { more: { code: 'source.rejected' } } });
    // The folder has changed, so the service cannot know whether its contents are the same.
    await symlink('a', join(system.source, 'SUB-1/DS-1/link'));
    await rm(join(system.source, 'SUB-1/DS-1/link'));
    const again = await submit();
    expect(again.status).toBe(202);
    const ended = await system.ended(again.body.id);
    expect(ended).toMatchObject({ state: 'rejected', error: first.error, progress: { bytes_done: 0 } });
    const files = async (id: string): Promise<unknown> => (await system.get(`/imports/${id}/files`)).body.items;
    expect(await files(ended.id)).toEqual(await files(first.id));
  });

  it('should accept a corrected delivery that the latest scan shows as rejected', async () => {
    await start();
    await system.deliver('SUB-1', { 'DS-1/a': '1', 'DS-1/SHA256SUMS': `${'0'.repeat(64)}  a\n` });
    await system.startWorker();
    expect((await system.ended((await submit()).body.id)).state).toBe('rejected');
    await writeFile(join(system.source, 'SUB-1/DS-1/SHA256SUMS'), '');
    const corrected = await submit();
    expect(corrected.status).toBe(202);
    expect((await system.ended(corrected.body.id)).state).toBe('finished');
  });

  it('should contain the plan in the import when the import has ended', async () => {
    await start();
    await system.deliver('SUB-1', { 'DS-1/a': '1' });
    await system.startWorker();
    expect(await system.ended((await submit()).body.id)).toMatchObject({
      ...{ state: 'finished', plan: { ready: true, files: 1, bytes: 1, fits: true, problems: [] } },
    });
  });
});
