import { everythingIn, testAccess } from '../support/s3.js';
import { buildServices, ServiceProcess } from '../../../../test/support/service-process.ts';
import { until } from '../../../../test/support/until.ts';
import { FaultProxy, type Call } from './support/fault-proxy.js';
import { systemInOneStore } from './support/one-store.js';
import { World } from './support/world.js';

/** The time in milliseconds after which a call to a silent store fails. */
const silenceMs = 60_000;

const isCopy = ({ isCopy: is }: Call): boolean => is;
const isPart = ({ isCopy: is, query }: Call): boolean => is && query.includes('partNumber');

describe('a cancelled import between two buckets of a slow store', () => {
  it('should end before the store has copied a large file and be imported at the next request', async () => {
    await buildServices();
    const proxy = await FaultProxy.before(testAccess.endpoint ?? '');
    const settings = { SOURCE_S3_ENDPOINT: proxy.url, STORAGE_S3_ENDPOINT: proxy.url };
    const { system, bucket } = await systemInOneStore(settings);
    const worker = await ServiceProcess.startWorker(system.environment);
    try {
      await system.deliver('SUB-1', { 'DS-1/large': Buffer.alloc(65 << 20, 'large') });
      const world = await World.of(system, bucket);
      await system.startServer();
      let answer = (): void => undefined;
      const copied = new Promise<void>((resolve) => (answer = resolve));
      proxy.spoil(100, isCopy, { kind: 'late answer', held: () => copied });
      const { id } = (await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).body;
      await until(() => proxy.calls.some(isPart));
      expect((await system.post(`/imports/${id}/cancel`)).body.state).toBe('cancelling');
      expect(await system.ended(id, silenceMs / 2)).toMatchObject({ state: 'cancelled' });
      answer();
      proxy.spoil(0, isCopy, { kind: 'reset' });
      // The trial copy, which ends late, is removed.
      await until(async () => !(await everythingIn(bucket)).keys.some((key) => key.includes('/.staging/')));
      const again = (await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).body.id;
      expect(await system.ended(again)).toMatchObject({ state: 'finished' });
      expect(await worker.end('SIGTERM')).toBe(0);
      await world.check();
    } finally {
      await worker.end('SIGKILL');
      await system.stop();
      proxy.stop();
    }
  });
});
