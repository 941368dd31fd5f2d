import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { buildServices, ServiceProcess } from '../../../../test/support/service-process.ts';
import { TestSystem } from '../support/system.js';
import { until } from '../../../../test/support/until.ts';

describe('a worker without the program sync', () => {
  let system: TestSystem;
  let bin: string;

  beforeAll(() => buildServices());

  beforeEach(async () => {
    system = await TestSystem.create();
    bin = join(system.root, 'bin');
    await mkdir(bin);
  });

  afterEach(() => system.stop());

  it('should not start', async () => {
    const starting = ServiceProcess.startWorker({ ...system.environment, PATH: bin });
    await expect(starting).rejects.toThrow('The service ended before it was ready');
  });

  it('should report the missing program with the import when the program disappears after the start', async () => {
    await system.deliver('SUB-1', { 'DS-1/a': '1' });
    await system.startServer();
    await symlink('/bin/sync', join(bin, 'sync'));
    const worker = await ServiceProcess.startWorker({ ...system.environment, PATH: bin });
    try {
      await rm(join(bin, 'sync'));
      const { id } = (await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).body;
      await until(
        async () => (await system.get(`/imports/${id}`)).text.includes('The program sync is missing'),
        30_000,
      );
    } finally {
      await worker.end('SIGKILL');
    }
  });
});
