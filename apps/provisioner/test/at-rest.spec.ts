import { ImportExecutor } from '../src/import-runs/import-executor.js';
import { PosixStorage } from '../src/storage/posix/posix-storage.js';
import { aDraft, aFile, writeAFile } from './support/storage.contract.js';
import { TestSystem } from './support/system.js';

describe('an import without a running worker', () => {
  let system: TestSystem;

  beforeAll(async () => {
    system = await TestSystem.create();
    await system.deliver('SUB-1', { 'DS-1/a/b': '1', 'DS-2/a': '2' });
    await system.startServer();
  });

  afterAll(() => system.stop());

  it('should finish despite a cancellation when its dataset is already published', async () => {
    const { id } = (await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).body;
    // This state remains if a worker is killed after the publication and before it records the status.
    const attempt = await new PosixStorage(system.storage).openAttempt({ kind: 'dataset', id: 'DS-1' }, 'T', '');
    await writeAFile(attempt);
    await attempt.list([aFile]);
    await attempt.publish(aDraft(id));
    expect(await system.post(`/imports/${id}/cancel`)).toMatchObject({ status: 202, body: { state: 'cancelling' } });
    await system.startWorker();
    expect(await system.ended(id)).toMatchObject({ state: 'finished', result: { path: 'data/raw/DS-1/' } });
    await system.stopWorkers();
  });

  it('should not start for a job of another attempt', async () => {
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const requested = await system.post('/datasets/srcsys/import', { dataset_id: 'DS-2', not_before: later });
    const { id, attempt } = requested.body;
    const executor = (await system.startWorker()).get(ImportExecutor, { strict: false });
    for (const other of [attempt - 1, attempt + 1]) {
      expect(await executor.execute(id, other, AbortSignal.timeout(60_000))).toEqual({ step: 'done' });
      expect((await system.get(`/imports/${id}`)).body).toMatchObject({ state: 'queued', attempt });
    }
  });
});
