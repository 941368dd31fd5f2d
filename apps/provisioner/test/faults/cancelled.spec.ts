import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { provisioner } from '../support/command-line.js';
import { buildServices, ServiceProcess } from '../../../../test/support/service-process.ts';
import { TestSystem } from '../support/system.js';
import { until } from '../../../../test/support/until.ts';
import { World } from './support/world.js';

const run = promisify(execFile);

describe('an import that is cancelled from another process', () => {
  let system: TestSystem;
  const processes: ServiceProcess[] = [];

  beforeAll(() => buildServices());

  beforeEach(async () => {
    system = await TestSystem.create();
    await system.deliver('SUB-1', { 'DS-1/a': '1' });
    await system.startServer();
  });

  afterEach(async () => {
    await endProcesses();
    await system.stop();
  });

  const cancel = (id: string) => system.post(`/imports/${id}/cancel`);

  it('should end at once when no worker runs it, and refuse a second cancellation', async () => {
    const id = await ask('DS-1');
    expect(await cancel(id)).toMatchObject({ status: 202, body: { state: 'cancelled' } });
    expect(await cancel(id)).toMatchObject({ status: 409, body: { more: { code: 'import.state' } } });
    expect((await system.get('/datasets/srcsys/DS-1')).body.state).toBe('not_imported');
  });

  it('should end when it is cancelled again after the storage failed during the first cancellation', async () => {
    const id = await ask('DS-1');
    const staging = join(system.storage, 'data/.staging/dataset');
    await mkdir(staging, { recursive: true });
    await writeFile(join(staging, 'DS-1'), 'no folder');
    expect((await cancel(id)).status).toBe(503);
    await rm(join(staging, 'DS-1'));
    expect(await cancel(id)).toMatchObject({ status: 202, body: { state: 'cancelled' } });
  });

  it('should end at once when it waits for free space', async () => {
    await startProcess({ STORAGE_RESERVE: '1000T' });
    const id = await ask('DS-1');
    await until(async () => (await system.get(`/imports/${id}`)).body.state === 'waiting');
    expect(await cancel(id)).toMatchObject({ status: 202, body: { state: 'cancelled' } });
  });

  it('should stop during a file of 10 GiB, leave nothing, and be imported when it is requested again', async () => {
    const large = join(system.source, 'SUB-1/DS-1/large');
    await run('truncate', ['-s', '10G', large]);
    // The copy would take minutes on any machine.
    await startProcess({ COPY_RATE_LIMIT: '50M' });
    const id = await ask('DS-1');
    await until(async () => (await system.get(`/imports/${id}`)).body.progress.bytes_done > 0);
    expect(await cancel(id)).toMatchObject({ status: 202, body: { state: 'cancelling' } });
    expect(await cancel(id)).toMatchObject({ status: 202 });
    expect(await system.ended(id)).toMatchObject({ state: 'cancelled' });
    await endProcesses();
    await rm(large);
    const world = await World.of(system);
    await world.check();
    await system.startWorker();
    expect(await system.ended(await ask('DS-1'))).toMatchObject({ state: 'finished' });
    await world.check();
  });

  it('should stay finished when its worker was killed after the publication and before its status', async () => {
    const world = await World.of(system);
    const worker = await startProcess({ FAILPOINT: 'after_rename' });
    const id = await ask('DS-1');
    await worker.ended();
    await cancel(id);
    await system.startWorker();
    expect(await system.ended(id)).toMatchObject({ state: 'finished' });
    await world.check();
  });

  it('should finish when it is a withdrawal that was killed after its rename', async () => {
    await system.startWorker();
    await system.ended(await ask('DS-1'));
    await system.stopWorkers();
    const worker = await startProcess({ FAILPOINT: 'before_done' });
    const words = ['withdraw', 'DS-1', '--reason', 'a test', '--json', '--no-wait'];
    const { id } = JSON.parse((await provisioner(system.environment, ...words)).out) as { id: string };
    await worker.ended();
    expect(await cancel(id)).toMatchObject({ status: 202 });
    await system.startWorker();
    expect(await system.ended(id)).toMatchObject({ state: 'finished' });
  });

  async function startProcess(settings: Record<string, string>): Promise<ServiceProcess> {
    const worker = await ServiceProcess.startWorker({ ...system.environment, ...settings });
    processes.push(worker);
    return worker;
  }

  async function endProcesses(): Promise<void> {
    await Promise.all(processes.splice(0).map((worker) => worker.end('SIGTERM')));
  }

  async function ask(dataset: string): Promise<string> {
    return (await system.post('/datasets/srcsys/import', { dataset_id: dataset })).body.id;
  }
});
