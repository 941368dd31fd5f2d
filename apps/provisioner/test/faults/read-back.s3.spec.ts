import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { buildServices, ServiceProcess } from '../../../../test/support/service-process.ts';
import { TestSystem } from '../support/system.js';
import { until } from '../../../../test/support/until.ts';
import { systemFromBucket } from './support/from-bucket.js';
import { hasHalted } from './support/halted.js';
import { World } from './support/world.js';

const sources = [
  ['a bucket', systemFromBucket],
  ['a folder', (settings: Record<string, string>) => TestSystem.create(settings)],
] as const;

describe('an import with VERIFY=readback', () => {
  beforeAll(() => buildServices());

  it.each(sources)(
    'from %s should wait instead of publishing when bytes were changed on the disk',
    async (_, create) => {
      const system = await create({ VERIFY: 'readback' });
      const environment = { ...system.environment, FAILPOINT: 'before_read_back:1:SIGSTOP' };
      const worker = await ServiceProcess.startWorker(environment);
      try {
        await system.deliver('SUB-1', { 'DS-1/large': randomBytes(9 << 20), 'DS-1/small': 'small' });
        const world = await World.of(system);
        await system.startServer();
        const { id } = (await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).body;
        await hasHalted(worker);
        const paths = [...(await world.storage()).files.keys()].filter((path) => /payload\/(large|small)$/.test(path));
        for (const path of paths) await flipByte(join(system.storage, path));
        expect(paths.length).toBeGreaterThan(0);
        worker.send('SIGCONT');
        await until(async () => (await system.get(`/imports/${id}`)).body.state === 'waiting');
        expect((await system.get(`/imports/${id}`)).body.error).toMatchObject({
          ...{ code: 'storage.io', message: expect.stringContaining('read back') as string },
        });
        expect(await world.isVisible('DS-1')).toBe(false);
        expect(await system.ended(id)).toMatchObject({ state: 'finished', attempt: 1 });
        expect(await worker.end('SIGTERM')).toBe(0);
        await world.check();
      } finally {
        await worker.end('SIGKILL');
        await system.stop();
      }
    },
  );
});

async function flipByte(path: string): Promise<void> {
  const file = await open(path, 'r+');
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, 0);
  await file.write(Buffer.of((buffer[0] ?? 0) ^ 1), 0, 1, 0);
  await file.close();
}
