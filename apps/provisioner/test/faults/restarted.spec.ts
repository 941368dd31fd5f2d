import { jest } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { buildServices, ServiceProcess } from '../../../../test/support/service-process.ts';
import { TestSystem } from '../support/system.js';
import { randomOf } from '../support/random.js';
import { World } from './support/world.js';

const run = promisify(execFile);

/** The number of random kills; `FAULT_ROUNDS` changes it. */
const rounds = Number(process.env['FAULT_ROUNDS'] ?? 4);

/** The seed of the random times. To repeat a failed run, set `FAULT_SEED` to the printed seed. */
const seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);

jest.setTimeout(120_000 + rounds * 10_000);

describe('imports whose workers are replaced', () => {
  let system: TestSystem;
  const processes: ServiceProcess[] = [];

  beforeAll(async () => {
    await buildServices();
  });

  beforeEach(async () => {
    system = await TestSystem.create({ IMPORT_CONCURRENCY: '1' });
    await system.startServer();
  });

  afterEach(async () => {
    await Promise.all(processes.splice(0).map((process) => process.end('SIGKILL')));
    await system.stop();
  });

  it('should finish every import in its first attempt when workers are replaced one by one', async () => {
    const request = await deliver(['DS-1', 'DS-2', 'DS-3', 'DS-4'], '300M');
    const [world, first] = [await World.of(system), await start()];
    const ids = await request();
    const second = await start();
    expect(await first.end('SIGTERM')).toBe(0);
    await start();
    expect(await second.end('SIGTERM')).toBe(0);
    for (const id of ids) expect(await system.ended(id)).toMatchObject({ state: 'finished', attempt: 1 });
    await world.check();
  });

  it(`should finish every import when workers are killed ${String(rounds)} times at random (seed ${String(seed)})`, async () => {
    const random = randomOf(seed);
    const names = Array.from({ length: rounds }, (_, index) => `DS-${String(index)}`);
    const request = await deliver(names, '100M');
    const world = await World.of(system);
    const ids = await request();
    for (let round = 0; round < rounds; round += 1) {
      const worker = await start();
      await setTimeout(random() * 2_500); // a kill at any moment is the subject
      await worker.end('SIGKILL');
    }
    await system.startWorker();
    for (const id of ids)
      expect(await system.ended(id, 120_000 + rounds * 5_000)).toMatchObject({ state: 'finished', attempt: 1 });
    await world.check({ killedAnywhere: true });
  });

  async function start(): Promise<ServiceProcess> {
    const process = await ServiceProcess.startWorker(system.environment);
    processes.push(process);
    return process;
  }

  /** Delivers datasets of small files and a large one. @returns a function that requests all of them */
  async function deliver(names: readonly string[], largeSize: string): Promise<() => Promise<string[]>> {
    const small = Array.from({ length: 50 }, (_, index) => String(index));
    for (const name of names) {
      await system.deliver('SUB-1', Object.fromEntries(small.map((each) => [`${name}/small/${each}`, each])));
      await run('truncate', ['-s', largeSize, join(system.source, 'SUB-1', name, 'large')]);
    }
    return async () => {
      const answers = names.map((name) => system.post('/datasets/srcsys/import', { dataset_id: name }));
      return (await Promise.all(answers)).map(({ body }) => body.id);
    };
  }
});
