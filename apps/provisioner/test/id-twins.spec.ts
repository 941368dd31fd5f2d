import { jest } from '@jest/globals';
import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { PosixStorage } from '../src/storage/posix/posix-storage.js';
import { removeTree } from '../src/storage/posix/remove-tree.js';
import { provisioner } from './support/command-line.js';
import { aDraft, aFile, writeAFile } from './support/storage.contract.js';
import { TestSystem } from './support/system.js';
import { until } from '../../../test/support/until.ts';

jest.setTimeout(120_000);

/** Returns the expected refusal of an id, whose description contains all of the names. */
const refusal = (...names: readonly string[]) => ({
  status: 409,
  body: {
    more: { code: 'id.duplicate' },
    description: expect.stringMatching(new RegExp(names.map((name) => `(?=.*\\b${name}\\b)`).join(''))) as string,
  },
});

describe('ids that differ by case only', () => {
  let system: TestSystem;

  beforeEach(async () => {
    system = await TestSystem.create();
    await system.startServer();
  });

  afterEach(() => system.stop());

  const submit = (dataset_id: string, query: '' | '?dry_run=true' | '?wait=30' = '') =>
    system.post(`/datasets/srcsys/import${query}`, { dataset_id, reimport_of_withdrawn: true });
  const submitSubmission = (reference: string) => system.post('/submissions/srcsys/import', { reference });
  const problemsOf = async (kind: 'datasets' | 'submissions'): Promise<string[][]> => {
    const { items } = (await system.get(`/${kind}/srcsys`)).body;
    return items.map((item) => ['id' in item ? item.id : item.reference, ...item.problems]);
  };
  const importDataset = async (id: string): Promise<string> => {
    const { body } = await submit(id);
    expect(await system.ended(body.id)).toMatchObject({ state: 'finished' });
    return body.id;
  };
  const imported = (): Promise<string[]> => readdir(join(system.storage, 'data/raw'));

  /** Renames a dataset of the source. */
  const renameDataset = async (submission: string, id: string, other: string): Promise<void> => {
    await rename(join(system.source, submission, id), join(system.source, submission, other));
  };

  it('should be refused with both ids and submissions when the source contains both', async () => {
    await system.deliver('SUB-1', { 'DS-1/a': '1', 'DS-2/a': '1', 'DS-3/a': '1', 'ds-3/a': '1' });
    await system.deliver('SUB-2', { 'ds-1/a': '1' });
    expect(await problemsOf('datasets')).toEqual([
      ['DS-1', 'id.duplicate'],
      ['DS-2'],
      ['DS-3', 'id.duplicate'],
      ['ds-3', 'id.duplicate'],
      ['ds-1', 'id.duplicate'],
    ]);
    expect(await submit('DS-1')).toMatchObject(refusal('DS-1 in SUB-1', 'ds-1 in SUB-2'));
    expect(await submit('ds-1')).toMatchObject(refusal('DS-1 in SUB-1', 'ds-1 in SUB-2'));
    expect(await submit('ds-3')).toMatchObject(refusal('DS-3 in SUB-1', 'ds-3 in SUB-1'));
    await system.startWorker();
    const plan = (await submit('DS-1', '?dry_run=true')).body;
    expect(plan).toMatchObject({ problem_count: 1, problems: [{ code: 'id.duplicate' }] });
    const all = await system.importSubmission('SUB-1', 'all');
    const errors = all.body.datasets.map(({ dataset_id, error }) => [dataset_id, error?.code]);
    expect(errors).toEqual([
      ['DS-1', 'id.duplicate'],
      ['DS-2', undefined],
      ['DS-3', 'id.duplicate'],
      ['ds-3', 'id.duplicate'],
    ]);
    expect((await system.get('/imports')).body.items).toHaveLength(2);
  });

  it('should be refused when they are references of submissions', async () => {
    await system.deliver('SUB-1', { 'README.md': '1', 'DS-1/a': '1' });
    await system.deliver('sub-1', { 'README.md': '1' });
    expect(await problemsOf('submissions')).toEqual([
      ['SUB-1', 'id.duplicate'],
      ['sub-1', 'id.duplicate'],
    ]);
    expect(await problemsOf('datasets')).toEqual([['DS-1']]);
    expect(await submitSubmission('sub-1')).toMatchObject(refusal('SUB-1', 'sub-1'));
    await system.startWorker();
    await importDataset('DS-1');
    await removeTree(join(system.source, 'sub-1'));
    const { body } = await submitSubmission('SUB-1');
    expect(await system.ended(body.id)).toMatchObject({ state: 'finished' });
    await rename(join(system.source, 'SUB-1'), join(system.source, 'sub-1'));
    expect(await submitSubmission('sub-1')).toMatchObject(refusal('SUB-1', body.id, 'data/projects/SUB-1'));
    expect(await problemsOf('submissions')).toEqual([['SUB-1'], ['sub-1', 'id.duplicate']]);
  });

  it('should be skipped when the whole diff is planned and imported', async () => {
    await system.deliver('SUB-1', { 'DS-1/a': '1', 'DS-2/a': '1', 'DS-9/a': '1' });
    await system.deliver('SUB-2', { 'ds-1/a': '1' });
    await system.deliver('sub-2', {});
    await mkdir(join(system.source, 'sub-2'), { recursive: true });
    await system.startWorker();
    await importDataset('DS-9');
    await renameDataset('SUB-1', 'DS-9', 'ds-9');
    // The scan finds the new deliveries one after the other.
    const skippedByPlan = async () => (await system.post('/imports/run?dry_run=true')).body.skipped;
    await until(async () => isDeepStrictEqual(await skippedByPlan(), { 'id.duplicate': 5 }));
    const plan = await system.post('/imports/run?dry_run=true');
    expect(plan.body).toMatchObject({ datasets: 1, submissions: 1 });
    expect((await provisioner(system.environment, 'import', '--all')).code).toBe(0);
    const { text } = await system.get('/imports/schedule');
    expect(JSON.parse(text)).toMatchObject({ last_run: { queued: 2, skipped: { 'id.duplicate': 5 } } });
    expect((await imported()).sort()).toEqual(['DS-2', 'DS-9']);
  });

  it('should be refused when one is imported, whose operations still work', async () => {
    await system.startWorker();
    await system.deliver('SUB-1', { 'DS-1/a': '1' });
    const id = await importDataset('DS-1');
    await system.deliver('SUB-2', { 'ds-1/a': 'other' });
    expect(await submit('DS-1')).toMatchObject({ status: 200, body: { id, state: 'finished' } });
    expect(await submit('ds-1')).toMatchObject(refusal('DS-1 in SUB-1', 'ds-1 in SUB-2'));
    await removeTree(join(system.source, 'SUB-1'));
    expect((await system.get('/datasets/srcsys/diff')).body.items).toMatchObject([
      { id: 'ds-1', state: 'not_imported', imported_at: null, problems: ['id.duplicate'] },
    ]);
    expect(await submit('ds-1')).toMatchObject(refusal('DS-1', id, 'data/raw/DS-1', 'withdraw DS-1'));
    expect((await submit('ds-1', '?dry_run=true')).body).toMatchObject({
      ...{ state: 'not_imported', problem_count: 1, problems: [{ code: 'id.duplicate' }] },
    });
    const verification = (await system.post('/datasets/srcsys/DS-1/verify')).body;
    expect(await system.ended(verification.id)).toMatchObject({ state: 'finished' });
    expect((await system.post('/datasets/srcsys/ds-1/verify')).body.more.code).toBe('import.state');
    expect((await provisioner(system.environment, 'withdraw', 'ds-1', '--reason', 'a test')).code).toBe(3);
    expect((await provisioner(system.environment, 'withdraw', 'DS-1', '--reason', 'a test')).code).toBe(0);
    // A request is closed shortly after its ending is stored.
    await until(async () => !(await problemsOf('datasets')).flat().includes('id.duplicate'));
    expect(await problemsOf('datasets')).toEqual([['ds-1']]);
    const other = await importDataset('ds-1');
    await renameDataset('SUB-2', 'ds-1', 'DS-1');
    expect(await submit('DS-1')).toMatchObject(refusal('ds-1', other));
    expect(await imported()).toEqual(['ds-1']);
  });

  it('should be refused when the import of one is under way', async () => {
    await system.deliver('SUB-1', { 'DS-1/a': '1' });
    const not_before = new Date(Date.now() + 3_600_000).toISOString();
    const { id } = (await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1', not_before })).body;
    await renameDataset('SUB-1', 'DS-1', 'ds-1');
    expect(await problemsOf('datasets')).toEqual([['ds-1', 'id.duplicate']]);
    expect(await submit('ds-1')).toMatchObject(refusal('DS-1', id, 'cancel'));
    await system.startWorker();
    expect((await submit('ds-1', '?dry_run=true')).body).toMatchObject({ state: 'not_imported', problem_count: 1 });
    await system.stopWorkers();
    await system.post(`/imports/${id}/cancel`);
    const other = (await submit('ds-1')).body;
    expect(other).toMatchObject({ subject: 'ds-1', state: 'queued' });
    await renameDataset('SUB-1', 'ds-1', 'DS-1');
    expect(await system.post(`/imports/${id}/retry`)).toMatchObject(refusal('ds-1', other.id));
    expect((await system.get(`/imports/${id}`)).body).toMatchObject({ state: 'cancelled', attempt: 1 });
  });

  it('should be rejected by the worker when the other appears after the request', async () => {
    await system.deliver('SUB-1', { 'DS-1/a': '1', 'DS-2/a': '1', 'DS-3/a': '1' });
    const [one, two, three] = await Promise.all(['DS-1', 'DS-2', 'DS-3'].map(async (id) => (await submit(id)).body.id));
    await system.deliver('SUB-2', { 'ds-1/a': '1' });
    await publish('ds-2');
    await system.startWorker();
    const ends = await Promise.all([one, two, three].map((id) => system.ended(id ?? '')));
    expect(ends.map(({ state, error }) => [state, error?.code])).toEqual([
      ['rejected', 'id.duplicate'],
      ['rejected', 'id.duplicate'],
      ['finished', undefined],
    ]);
    expect(ends[1]?.error?.message).toMatch(/DS-2 differs only by case from ds-2, which import BY-HAND/);
    expect((await imported()).sort()).toEqual(['DS-3', 'ds-2']);
    await removeTree(join(system.source, 'SUB-2'));
    expect((await submit('DS-1', '?wait=30')).body).toMatchObject({ state: 'finished' });
  });

  /** Publishes a dataset without a request, as another process with the same storage. */
  async function publish(id: string): Promise<void> {
    const staging = await new PosixStorage(system.storage).openAttempt({ kind: 'dataset', id }, 'T', 'sha256:1');
    await writeAFile(staging);
    await staging.list([aFile]);
    await staging.publish({ ...aDraft('BY-HAND'), id });
  }

  it('should result in one import when both are submitted at the same time to two servers', async () => {
    const { STORAGE_URL = '', QUEUE_URL = '' } = system.environment;
    const other = await TestSystem.create({ STORAGE_URL, QUEUE_URL });
    try {
      await other.startServer();
      const ids = ['DS-1', 'DS-2', 'DS-3', 'DS-4', 'DS-5'];
      for (const id of ids) {
        await system.deliver('SUB-1', { [`${id}/a`]: '1' });
        await other.deliver('SUB-1', { [`${id.toLowerCase()}/a`]: '1' });
      }
      const responses = await Promise.all(
        ids.map((id) => Promise.all([submit(id), other.askAt(other.url, id.toLowerCase())])),
      );
      for (const pair of responses) expect(pair.map(({ status }) => status).sort()).toEqual([202, 409]);
      const { items } = (await system.get('/imports')).body;
      expect(items.map(({ subject }) => subject.toUpperCase()).sort()).toEqual(ids);
    } finally {
      await other.stop();
    }
  });
});
