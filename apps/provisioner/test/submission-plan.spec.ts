import { statfs, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { SubmissionPlan } from '../src/submissions/submission-plan.js';
import { TestSystem } from './support/system.js';

describe('POST /submissions/srcsys/import?dry_run=true', () => {
  let system: TestSystem;

  beforeAll(async () => {
    system = await TestSystem.create();
    await system.deliver('SUB-1', {
      'README.md': 'About',
      ...{ 'DS-1/a': '1', 'DS-2/a': '12', 'DS-2/SHA256SUMS': `${'0'.repeat(64)}  gone\n`, 'DS-3/a': '1', 'a b/c': '1' },
    });
    await system.deliver('SUB-2', { 'DS-3/a': '1' });
    await system.startServer();
    await system.startWorker();
    await system.post('/datasets/srcsys/import?wait=30', { dataset_id: 'DS-1' });
  });

  afterAll(() => system.stop());

  const plan = async (reference: string, datasets?: unknown): Promise<SubmissionPlan> => {
    const { status, text } = await system.post('/submissions/srcsys/import?dry_run=true', { reference, datasets });
    expect(status).toBe(200);
    return JSON.parse(text) as SubmissionPlan;
  };

  it('should plan only the documents when no dataset is requested', async () => {
    expect(await plan('SUB-1')).toMatchObject({ files: 1, bytes: 5, fits: true, datasets: [] });
    expect(await plan('SUB-1', 'none')).toMatchObject({ files: 1, datasets: [] });
    expect(await plan('SUB-1', null)).toMatchObject({ files: 1, datasets: [] });
  });

  it('should plan each requested dataset without importing', async () => {
    expect((await plan('SUB-1', 'all')).datasets).toMatchObject([
      { dataset_id: 'DS-1', plan: { state: 'imported', ready: true, problem_count: 0 }, error: null },
      { dataset_id: 'DS-2', plan: { state: 'not_imported', files: 2, problem_count: 1 }, error: null },
      { dataset_id: 'DS-3', plan: null, error: { code: 'id.duplicate' } },
    ]);
    expect((await plan('SUB-1', ['DS-2'])).datasets.map(({ dataset_id }) => dataset_id)).toEqual(['DS-2']);
    expect((await system.get('/imports')).body.items).toHaveLength(1);
  });

  it('should refuse datasets of other submissions', async () => {
    const body = { reference: 'SUB-1', datasets: ['DS-9'] };
    const refused = await system.post('/submissions/srcsys/import?dry_run=true', body);
    expect(refused).toMatchObject({ status: 400, body: { more: { fields: [{ field: 'datasets' }] } } });
  });

  it('should report whether the documents and datasets fit together', async () => {
    const { bavail, bsize } = await statfs(system.storage);
    await system.deliver('SUB-3', { 'DS-31/a': '', 'DS-32/a': '' });
    for (const id of ['DS-31', 'DS-32']) {
      await truncate(join(system.source, 'SUB-3', id, 'a'), Math.floor(bavail * bsize * 0.6));
    }
    expect((await plan('SUB-3', ['DS-31'])).fits).toBe(true);
    expect((await plan('SUB-3', 'all')).fits).toBe(false);
  });
});
