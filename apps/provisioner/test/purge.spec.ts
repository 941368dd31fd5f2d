import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree } from '../src/storage/posix/remove-tree.js';
import { PurgeRound } from '../src/schedule/purge-round.js';
import { provisioner } from './support/command-line.js';
import { TestSystem } from './support/system.js';

const dayMs = 86_400_000;

describe('a withdrawn dataset', () => {
  let system: TestSystem;

  beforeEach(async () => {
    system = await TestSystem.create({ PURGE_WITHDRAWN_DAYS: '30' });
    await system.deliver('SUB-1', { 'DS-1/a': '12345' });
    await system.startServer();
    await system.startWorker();
    await importAgain();
  });

  afterEach(() => system.stop());

  const importAgain = () =>
    system.post('/datasets/srcsys/import?wait=60', { dataset_id: 'DS-1', reimport_of_withdrawn: true });

  async function withdraw(): Promise<string> {
    const { status, body } = await system.post('/datasets/srcsys/DS-1/withdraw?wait=60', { reason: ' No consent ' });
    expect([status, body]).toMatchObject([200, { kind: 'withdraw', state: 'finished', reason: 'No consent' }]);
    return body.id;
  }

  const purge = (body: object, id = 'DS-1') =>
    system.post(`/datasets/srcsys/${id}/purge?wait=60`, { confirm: id, reason: 'erasure', ...body });

  const listed = async (query = ''): Promise<readonly unknown[]> => {
    const { text } = await system.get(`/datasets/srcsys/withdrawn${query}`);
    return (JSON.parse(text) as { items: unknown[] }).items;
  };

  const stored = (): Promise<string[]> => readdir(join(system.storage, 'data/.withdrawn/raw'));

  it('should be listed with its reason, and shown by its id when the source was cleaned', async () => {
    expect(await listed()).toEqual([]);
    const id = await withdraw();
    await removeTree(join(system.source, 'SUB-1'));
    expect(await listed('?q=ds-1&submission=SUB-1')).toMatchObject([
      {
        ...{ id: 'DS-1', withdrawal: id, submission: 'SUB-1', reason: 'No consent', requested_by: 'global key' },
        ...{ files: 1, bytes: 5, path: `data/.withdrawn/raw/DS-1.${id}/`, purge: null },
      },
    ]);
    expect((await system.get('/datasets/srcsys/DS-1')).body).toMatchObject({
      ...{ submission: 'SUB-1', held_in: null, state: 'not_imported', import: { id, state: 'withdrawn' } },
    });
    expect((await system.get('/datasets/srcsys')).body.items).toEqual([]);
    expect(await system.post('/datasets/srcsys/DS-1/withdraw', { reason: 'again' })).toMatchObject({ status: 404 });
    expect(await system.post('/datasets/srcsys/DS-1/withdraw', {})).toMatchObject({ status: 400 });
  });

  it('should not be imported again unless the request permits it', async () => {
    const import_id = await withdraw();
    const refusal = { status: 409, body: { more: { code: 'dataset.withdrawn', import_id } } };
    for (const query of ['', '?dry_run=true']) {
      const answer = await system.post(`/datasets/srcsys/import${query}`, { dataset_id: 'DS-1' });
      expect(answer).toMatchObject(refusal);
      expect((answer.body as unknown as { description: string }).description).toContain('No consent');
    }
    const all = { reference: 'SUB-1', datasets: 'all' };
    const { body } = await system.post('/submissions/srcsys/import?wait=60', all);
    expect(body.datasets).toMatchObject([{ dataset_id: 'DS-1', error: { code: 'dataset.withdrawn' } }]);
    expect((await provisioner(system.environment, 'import', 'DS-1')).code).toBe(3);
    expect((await provisioner(system.environment, 'plan', 'DS-1')).code).toBe(3);
    expect((await provisioner(system.environment, 'plan', 'DS-1', '--reimport-of-withdrawn')).code).toBe(0);
    expect((await provisioner(system.environment, 'import', 'DS-1', '--reimport-of-withdrawn')).code).toBe(0);
    expect(await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).toMatchObject({ status: 200 });
    await withdraw();
    const again = await system.post('/submissions/srcsys/import', { ...all, reimport_of_withdrawn: true });
    expect(again.body.datasets).toMatchObject([{ dataset_id: 'DS-1', error: null }]);
  });

  it('should lose its files and keep its record when it is purged', async () => {
    const withdrawal = await withdraw();
    expect(await purge({ confirm: 'DS-2' })).toMatchObject({
      ...{ status: 400, body: { more: { fields: [{ field: 'confirm' }] } } },
    });
    expect(await stored()).toHaveLength(1);
    const { status, body } = await purge({});
    expect([status, body]).toMatchObject([200, { kind: 'purge', state: 'finished', reason: 'erasure' }]);
    expect(await stored()).toEqual([]);
    expect(await readdir(join(system.storage, 'data/.staging/removed'))).toEqual([]);
    const purged = { import_id: body.id, reason: 'erasure', purged_at: expect.any(String) as string };
    expect(await listed('?purged=true')).toMatchObject([{ withdrawal, path: null, bytes: 5, purge: purged }]);
    expect(await listed('?purged=false')).toEqual([]);
    expect(await purge({})).toMatchObject({ status: 409, body: { more: { code: 'import.state' } } });
    expect(await purge({}, 'DS-9')).toMatchObject({ status: 404 });
    expect((await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).status).toBe(409);
    await provisioner(system.environment, 'import', '--all');
    expect((await system.get('/datasets/srcsys/DS-1')).body).toMatchObject({ state: 'not_imported' });
  });

  it('should be purged by the named withdrawal when the files of several are stored', async () => {
    const first = await withdraw();
    await importAgain();
    const second = await withdraw();
    const { status, body } = await purge({});
    expect([status, body.more]).toMatchObject([400, { fields: [{ field: 'withdrawal' }] }]);
    const words = ['purge', 'DS-1', '--confirm', 'DS-1', '--reason', 'erasure'];
    expect((await provisioner(system.environment, ...words, '--withdrawal', first)).code).toBe(0);
    expect(await stored()).toEqual([`DS-1.${second}`]);
    await importAgain();
    expect((await purge({})).body).toMatchObject({ state: 'finished' });
    expect((await system.get('/datasets/srcsys/DS-1')).body).toMatchObject({ state: 'imported' });
  });

  it('should be purged after PURGE_WITHDRAWN_DAYS', async () => {
    const withdrawal = await withdraw();
    const round = (await system.startWorker()).get(PurgeRound, { strict: false });
    await round.run(Date.now() + 29 * dayMs);
    expect((await system.get('/imports?kind=purge')).body.items).toEqual([]);
    for (let run = 0; run < 2; run += 1) await round.run(Date.now() + 31 * dayMs);
    const { items } = (await system.get('/imports?kind=purge')).body;
    await system.ended(items[0]?.id ?? '');
    expect(items).toMatchObject([{ requested_by: 'PURGE_WITHDRAWN_DAYS', subject: 'DS-1' }]);
    expect(await listed('?purged=true')).toMatchObject([{ withdrawal }]);
    const { out } = await provisioner(system.environment, 'withdrawn', '--purged', 'true');
    expect(out).toMatch(new RegExp(`^DS-1 +${withdrawal} +\\S+Z +\\S+Z +1 +5 B +No consent$`, 'm'));
    expect(await stored()).toEqual([]);
  });

  it('should keep its files when the purge is cancelled before a worker starts it', async () => {
    await withdraw();
    await system.stopWorkers();
    const { id } = (await system.post('/datasets/srcsys/DS-1/purge', { confirm: 'DS-1', reason: 'erasure' })).body;
    await system.post(`/imports/${id}/cancel`);
    await system.startWorker();
    expect(await system.ended(id)).toMatchObject({ state: 'cancelled' });
    expect(await stored()).toHaveLength(1);
    const retried = await provisioner(system.environment, 'retry', id);
    expect([retried.code, await stored()]).toEqual([0, []]);
  });
});
