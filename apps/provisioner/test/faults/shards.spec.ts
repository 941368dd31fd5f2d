import { jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Failpoint } from '../../src/process/failpoint.js';
import { buildServices, ServiceProcess } from '../../../../test/support/service-process.ts';
import { until } from '../../../../test/support/until.ts';
import type { Files } from '../support/delivery.js';
import { TestSystem } from '../support/system.js';
import { inTurns } from './support/in-turns.js';
import { randomOf } from '../support/random.js';
import { RedisDatabases } from './support/redis-databases.js';
import { World } from './support/world.js';

/** The number of random kills. `SHARD_KILLS=200` repeats the acceptance test. */
const kills = Number(process.env['SHARD_KILLS'] ?? 4);

/** The kills during the copy of one dataset. */
const killsPerDataset = 5;

/** The seed of the random kills. To repeat a failed run, set `FAULT_SEED` to the printed seed. */
const seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);

/** The longest time in milliseconds between two random kills. */
const mostBetweenKillsMs = 1_500;

const workerCount = 3;

const sharded = { SHARD_FILES: '40', SHARD_BYTES: '8M' };

jest.setTimeout(120_000 + kills * 30_000);

/** A dataset with many small files in few folders, and larger files. */
function aDataset(id: string): Files {
  const small = Array.from({ length: 400 }, (_, index) => [
    `${id}/${String(index % 5)}/${String(index)}`,
    String(index),
  ]);
  const large = Array.from({ length: 4 }, (_, index) => [`${id}/large/${String(index)}`, randomBytes(6 << 20)]);
  return Object.fromEntries([...small, ...large, [`${id}/larger`, randomBytes(33 << 20)]]) as Files;
}

/** Three workers as processes. A worker that ends is replaced at once. */
class Workers {
  private readonly running: ServiceProcess[] = [];

  constructor(private readonly system: TestSystem) {}

  async start(count: number, settings: Readonly<Record<string, string>> = {}): Promise<readonly ServiceProcess[]> {
    const environment = { ...this.system.environment, ...settings };
    const started = await Promise.all(Array.from({ length: count }, () => ServiceProcess.startWorker(environment)));
    this.running.push(...started);
    return started;
  }

  /** Kills one worker, and starts another one. */
  async replace(random: () => number): Promise<void> {
    const [killed] = this.running.splice(Math.floor(random() * this.running.length), 1);
    await killed?.end('SIGKILL');
    await this.start(1);
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await Promise.all(this.running.splice(0).map((worker) => worker.end(signal)));
  }
}

async function isStopped(pid: number): Promise<boolean> {
  return /^State:\s+T/m.test(await readFile(`/proc/${String(pid)}/status`, 'utf8'));
}

/** The failpoints of the owner and of the workers of shards. */
const failpoints: readonly Failpoint[] = [
  'shards_cut',
  'shard_claimed',
  'shard_flushed',
  'shard_moved',
  'shards_copied',
];

describe('a dataset that several workers copy', () => {
  let databases: RedisDatabases;
  let runs: Map<string, Promise<void>>;

  beforeAll(async () => {
    await buildServices();
    databases = await RedisDatabases.start();
    runs = inTurns([...failpoints, 'SIGSTOP', 'random'], failpoints.length + 2, (name) =>
      name === 'random' ? killedAtRandom() : name === 'SIGSTOP' ? paused() : killedAt(name as Failpoint),
    );
  });

  afterAll(async () => {
    await Promise.allSettled(runs.values());
    await databases.stop();
  });

  it.each(failpoints)('should be imported exactly when a worker is killed at %s', async (failpoint) => {
    await runs.get(failpoint);
  });

  it('should stay exact when a worker of a shard is paused until the publication', async () => {
    await runs.get('SIGSTOP');
  });

  it(`should be imported exactly when workers are killed at random (${String(kills)} kills, seed ${String(seed)})`, async () => {
    await runs.get('random');
  });

  async function inSystem(
    datasets: number,
    work: (system: TestSystem, workers: Workers) => Promise<void>,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const system = await TestSystem.create({ ...databases.next(), ...sharded, ...settings });
    const workers = new Workers(system);
    try {
      for (let number = 0; number < datasets; number += 1)
        await system.deliver(`SUB-${String(number)}`, aDataset(`DS-${String(number)}`));
      await system.deliver('SUB-LAST', { 'LAST/a': '1' });
      const world = await World.of(system);
      await system.startServer();
      await work(system, workers);
      // The attempt at another dataset removes what a killed process has moved aside.
      await finished(system, await requested(system, 'LAST'));
      await workers.end('SIGTERM');
      await world.check({ killedAnywhere: true });
    } finally {
      await workers.end('SIGKILL');
      await system.stop();
    }
  }

  async function requested(system: TestSystem, id: string): Promise<string> {
    return (await system.post('/datasets/srcsys/import', { dataset_id: id })).body.id;
  }

  async function finished(system: TestSystem, id: string): Promise<void> {
    expect(await system.ended(id)).toMatchObject({ state: 'finished', attempt: 1 });
  }

  function killedAt(failpoint: Failpoint): Promise<void> {
    return inSystem(1, async (system, workers) => {
      const [first] = await workers.start(1, { FAILPOINT: failpoint });
      const id = await requested(system, 'DS-0');
      expect(await first?.signalOfEnd()).toBe('SIGKILL');
      await workers.start(1);
      await finished(system, id);
    });
  }

  function paused(): Promise<void> {
    return inSystem(1, async (system, workers) => {
      const [first] = await workers.start(1, { FAILPOINT: 'shard_flushed:2:SIGSTOP' });
      const id = await requested(system, 'DS-0');
      await until(() => isStopped(first?.pid ?? 0));
      await workers.start(1);
      await finished(system, id);
      first?.send('SIGCONT');
      await until(async () => (await first?.isReady()) === true);
    });
  }

  function killedAtRandom(): Promise<void> {
    const random = randomOf(seed);
    const datasets = Math.ceil(kills / killsPerDataset);
    const copyInSeconds = { COPY_RATE_LIMIT: '12M' };
    return inSystem(
      datasets,
      async (system, workers) => {
        await workers.start(workerCount);
        for (let number = 0; number < datasets; number += 1) {
          const id = await requested(system, `DS-${String(number)}`);
          for (let kill = 0; kill < Math.min(killsPerDataset, kills - number * killsPerDataset); kill += 1) {
            await pause(random() * mostBetweenKillsMs);
            await workers.replace(random);
          }
          await finished(system, id);
        }
      },
      copyInSeconds,
    );
  }
});
