import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildServices, ServiceProcess } from '../../../../test/support/service-process.ts';
import { globalKey, TestSystem } from '../support/system.js';
import { until } from '../../../../test/support/until.ts';
import { World } from './support/world.js';

const names = ['DS-1', 'DS-2', 'DS-3', 'DS-4'];
const identity = { SOURCE_IDENTITY: 'landing-zone-1' };

describe('a worker that does not see the source', () => {
  let system: TestSystem;
  let workers: ServiceProcess[];

  beforeAll(() => buildServices());

  beforeEach(async () => {
    system = await TestSystem.create();
    workers = [];
    for (const name of names) await system.deliver('SUB-1', { [`${name}/a`]: name });
  });

  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.end('SIGKILL')));
    await system.stop();
  });

  async function start(settings: Record<string, string> = {}): Promise<ServiceProcess> {
    const worker = await ServiceProcess.startWorker({ ...system.environment, ...settings });
    workers.push(worker);
    return worker;
  }

  /** Starts a worker with a mount of the source. @returns the worker, and functions that remove and restore its mount */
  async function startMounted(settings: Record<string, string> = {}) {
    const [mount, empty] = [join(system.root, 'mount'), join(system.root, 'empty')];
    const point = async (target: string): Promise<void> => {
      await symlink(target, `${mount}.next`);
      await rename(`${mount}.next`, mount);
    };
    await mkdir(empty);
    await point(system.source);
    const worker = await start({ ...settings, SOURCE_URL: pathToFileURL(mount).href });
    return { worker, unmount: () => point(empty), remount: () => point(system.source) };
  }

  const request = async (name: string): Promise<string> =>
    (await system.post('/datasets/srcsys/import', { dataset_id: name })).body.id;

  async function finishAll(ids: readonly string[], world: World): Promise<void> {
    for (const id of ids) expect(await system.ended(id)).toMatchObject({ state: 'finished', attempt: 1 });
    await Promise.all(workers.map((worker) => worker.end('SIGTERM')));
    await world.check();
  }

  it('should leave every import to another worker and not be ready when it sees an empty folder', async () => {
    const world = await World.of(system);
    await system.startServer();
    const { worker, unmount } = await startMounted();
    await unmount();
    const ids = await Promise.all(names.map(request));
    await until(async () => (await system.get('/imports?state=waiting')).text.includes('source.unavailable'), 30_000);
    await until(async () => (await readiness(worker)).includes('another folder'), 30_000);
    await start();
    await finishAll(ids, world);
  });

  it('should leave a running import and resume it when its mount disappears and returns', async () => {
    const large = Object.fromEntries(names.map((name) => [`DS-5/${name}`, Buffer.alloc(9 << 20, name)]));
    await system.deliver('SUB-5', large);
    const world = await World.of(system);
    await system.startServer();
    const { worker, unmount, remount } = await startMounted({ COPY_RATE_LIMIT: '4M' });
    const id = await request('DS-5');
    await until(async () => (await system.get(`/imports/${id}`)).body.progress.bytes_done > 0, 30_000);
    await unmount();
    await until(async () => (await system.get(`/imports/${id}`)).body.error?.code === 'source.unavailable', 60_000);
    expect(await readiness(worker)).toContain('not_ready');
    await remount();
    await finishAll([id], world);
  });

  it('should take no import while the source lacks the identity that the operator has set', async () => {
    await writeFile(join(system.source, '.source-id'), `${identity.SOURCE_IDENTITY}\n`);
    const world = await World.of(system);
    await system.startServer(identity);
    const { worker, unmount, remount } = await startMounted(identity);
    await unmount();
    await until(async () => (await readiness(worker)).includes('.source-id'), 30_000);
    const ids = await Promise.all(names.slice(0, 2).map(request));
    await start(identity);
    for (const id of ids) expect(await system.ended(id)).toMatchObject({ state: 'finished', attempt: 1 });
    await workers.at(-1)?.end('SIGTERM');
    await remount();
    await until(async () => (await readiness(worker)).includes('"ready"'), 30_000);
    await finishAll([await request('DS-3')], world);
  });

  it('should not start when the source has another identity', async () => {
    await writeFile(join(system.source, '.source-id'), 'landing-zone-2');
    await expect(start(identity)).rejects.toThrow('The service ended before it was ready');
  });

  it('should fail an import at once when its delivery was removed', async () => {
    await system.startServer();
    const id = await request('DS-4');
    await rm(join(system.source, 'SUB-1/DS-4'), { recursive: true });
    await start();
    expect(await system.ended(id)).toMatchObject({ state: 'failed', error: { code: 'source.gone' } });
  });

  async function readiness({ url }: ServiceProcess): Promise<string> {
    return (await fetch(`${url}/health/ready`, { headers: { 'X-API-Key': globalKey } })).text();
  }
});
