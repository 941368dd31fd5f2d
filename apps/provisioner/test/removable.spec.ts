import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../../../test/support/until.ts';
import { provisioner } from './support/command-line.js';
import { TestSystem } from './support/system.js';

describe('lists of deliveries that can be deleted from the source', () => {
  let system: TestSystem;

  beforeEach(async () => {
    system = await TestSystem.create({ SOURCE_SCAN_INTERVAL: '1' });
    await system.deliver('SUB-1', { 'README.md': 'About', 'DS-1/a': '12345', 'DS-2/b': '1' });
    await system.deliver('SUB-2', { 'DS-3/c': '1', 'DS-4/c': '1' });
    await system.startServer();
    await system.startWorker();
    for (const reference of ['SUB-1', 'SUB-2']) {
      const { body } = await system.importSubmission(reference, 'all');
      await Promise.all([body.id, ...body.datasets.map(({ import_id }) => import_id)].map((id) => system.ended(id)));
    }
  });

  afterEach(() => system.stop());

  const removable = async (path: string): Promise<unknown[]> => {
    const { items } = (await system.get(path)).body as unknown as { items: Record<string, unknown>[] };
    return items.map(({ id, reference }) => id ?? reference);
  };
  const datasets = '/datasets/srcsys/removable?older_than_days=0';
  const submissions = '/submissions/srcsys/removable?older_than_days=0';
  const today = (): string => new Date().toISOString().slice(0, 10);

  it('should contain what was imported for the requested number of days', async () => {
    await until(async () => (await removable(datasets)).length === 4);
    const { items } = (await system.get(`${datasets}&submission=SUB-1`)).body as unknown as { items: object[] };
    expect(items[0]).toEqual({
      ...{ id: 'DS-1', submission: 'SUB-1', source_path: 'SUB-1/DS-1/', path: 'data/raw/DS-1/', files: 1, bytes: 5 },
      ...{ imported_at: expect.any(String) as string, verified_on: today(), verified_by: 'import' },
    });
    expect((await system.get(`${submissions}&q=sub-1`)).body.items).toEqual([
      {
        ...{ reference: 'SUB-1', source_path: 'SUB-1/', collection: 'data/projects/SUB-1/' },
        ...{ datasets: ['DS-1', 'DS-2'], imported_at: expect.any(String) as string, verified_on: today() },
      },
    ]);
    expect(await removable('/datasets/srcsys/removable?older_than_days=1')).toEqual([]);
    expect(await removable('/submissions/srcsys/removable')).toEqual([]);
    expect((await system.get('/datasets/srcsys/removable?older_than_days=-1')).status).toBe(400);
  });

  it('should leave out a delivery that changed after its import, with its submission', async () => {
    await system.deliver('SUB-1', { 'DS-2/late': '1' });
    await until(async () => !(await removable(datasets)).includes('DS-2'));
    expect(await removable(datasets)).toContain('DS-1');
    expect(await removable(submissions)).not.toContain('SUB-1');
  });

  it('should state the verification, and leave out a dataset whose verification found a difference', async () => {
    await system.post('/datasets/srcsys/DS-3/verify?wait=60');
    const { items } = (await system.get(`${datasets}&q=ds-3`)).body as unknown as { items: object[] };
    expect(items).toMatchObject([{ id: 'DS-3', verified_on: today(), verified_by: 'fixity' }]);
    const file = join(system.storage, 'data/raw/DS-4/c');
    await chmod(file, 0o640);
    await writeFile(file, '2');
    expect((await system.post('/datasets/srcsys/DS-4/verify?wait=60')).body).toMatchObject({ state: 'failed' });
    expect(await removable(datasets)).not.toContain('DS-4');
    expect(await removable(submissions)).not.toContain('SUB-2');
  });

  it('should be printed by the command line', async () => {
    const { code, out } = await provisioner(system.environment, 'removable', '--older-than-days', '0', '--q', 'ds-1');
    expect([code, out.split('\n')[1]]).toEqual([
      0,
      expect.stringMatching(/^SUB-1\/DS-1\/ +1 +5 B +\S+Z +\S+ by import$/) as string,
    ]);
    const { err } = await provisioner(system.environment, 'removable', 'submissions', '--submission', 'SUB-1');
    expect(err).toContain('--submission requires a list of datasets.');
  });
});
