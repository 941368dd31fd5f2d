import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buildServices, ServiceProcess, type Wrapper } from '../../../../test/support/service-process.ts';
import { TestSystem } from '../support/system.js';
import type { Import } from '../../../../test/support/documented-body.ts';
import { World } from './support/world.js';

/** A wrapper that removes the privilege of root to ignore permissions. */
const withoutPrivileges: Wrapper =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search'] : [];

describe('a worker without a permission', () => {
  let system: TestSystem;
  let worker: ServiceProcess;

  beforeAll(buildServices);

  beforeEach(async () => {
    system = await TestSystem.create();
    const closed = { 'DS-1/one/a': '1', 'DS-1/two/b': '2', 'DS-1/c': '3', 'DS-1/d': '4', 'DS-1/e': '5' };
    await system.deliver('SUB-1', { ...closed, 'DS-2/a': '1', 'DS-3/MD5SUMS': '' });
    await system.startServer();
    worker = await ServiceProcess.startWorker(system.environment, withoutPrivileges);
  });

  afterEach(async () => {
    await worker.end('SIGTERM');
    await system.stop();
  });

  /** Requests the import of a dataset and waits for its end. */
  async function imported(dataset: string): Promise<Import> {
    return system.ended((await system.post('/datasets/srcsys/import', { dataset_id: dataset })).body.id);
  }

  it.each([
    ['enter folders', 'DS-1', ['one', 'two'], 0, 0o750],
    ['look into a folder', 'DS-1', ['one'], 0o640, 0o750],
    ['read files', 'DS-1', ['c', 'e'], 0, 0o640],
    ['read a descriptor', 'DS-3', ['MD5SUMS'], 0, 0o640],
  ])(
    'should fail the import, report the paths, and finish the import after the grant when the worker may not %s of %s: %j',
    async (_, dataset, paths, denied, mode) => {
      const setAll = async (to: number): Promise<void> => {
        for (const path of paths) await chmod(join(system.source, 'SUB-1', dataset, path), to);
      };
      await setAll(denied);
      const ended = await imported(dataset);
      expect(ended).toMatchObject({ state: 'failed', error: { code: 'source.denied' } });
      const failed = (await system.get(`/imports/${ended.id}/files?state=failed`)).body.items;
      expect(failed.map(({ path }) => path).sort()).toEqual(paths);
      await setAll(mode);
      expect(await imported(dataset)).toMatchObject({ state: 'finished' });
    },
  );

  it('should fail the import when the worker may not write to staging, and finish it when the permission is granted', async () => {
    const world = await World.of(system);
    const staging = join(system.storage, 'data/.staging/dataset');
    await mkdir(staging, { recursive: true });
    await chmod(staging, 0o550);
    const { id, state, error } = await imported('DS-2');
    expect({ state, error }).toMatchObject({ state: 'failed', error: { code: 'storage.denied' } });
    await chmod(staging, 0o750);
    expect(await imported('DS-2')).toMatchObject({ state: 'finished' });
    expect((await system.get(`/imports/${id}`)).body).toMatchObject({ state: 'finished', attempt: 2 });
    await worker.end('SIGTERM');
    await world.check();
  });
});
