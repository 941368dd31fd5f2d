import { readdir, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { TestRedis } from '../../support/redis.js';
import { ServiceProcess } from '../../../../../test/support/service-process.ts';
import { TestSystem } from '../../support/system.js';
import { until } from '../../../../../test/support/until.ts';
import { World } from './world.js';

/** A time in milliseconds that exceeds the lock of a job. */
const haltMs = 12_000;

const victimsAtOnce = 2;

/** The resources that a process uses. */
export interface ResourceUsage {
  readonly descriptors: number;
  readonly threads: number;
  /** The peak of the resident memory in bytes. */
  readonly peakBytes: number;
}

/**
 * A system with a Redis, workers that are killed and paused, and one steady worker. Random faults are injected one after
 * another. Each pause has a random length, so that a fault begins and ends at any moment of an import.
 */
export class Soak {
  /** The number of injections of each fault. */
  readonly injected = new Map<string, number>();
  readonly datasets: string[] = [];
  private readonly imports: string[] = [];
  private readonly victims: ServiceProcess[] = [];
  private readonly waking: Promise<void>[] = [];
  private readonly faults: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['worker killed', () => this.replaceVictim('SIGKILL')],
    ['worker stopped', () => this.replaceVictim('SIGTERM')],
    ['worker halted', () => this.haltVictim()],
    ['queue emptied', () => this.redis.flush()],
    ['Redis killed', () => this.killRedis(false)],
    ['Redis killed and emptied', () => this.killRedis(true)],
    ['Redis silent', () => this.silenceRedis()],
    ['import cancelled', () => this.system.post(`/imports/${this.one(this.imports)}/cancel`)],
    ['asked again', () => this.ask(this.one(this.datasets))],
    ['delivery touched', () => this.touch(this.one(this.datasets))],
  ];

  private constructor(
    private readonly system: TestSystem,
    private readonly redis: TestRedis,
    private readonly steady: ServiceProcess,
    private readonly random: () => number,
  ) {}

  /** Starts the system. @param random a generator of numbers in [0, 1) */
  static async begin(random: () => number): Promise<Soak> {
    const redis = await TestRedis.start();
    // The rate is so low that most faults occur during an import.
    const system = await TestSystem.create({ QUEUE_URL: redis.url, IMPORT_CONCURRENCY: '2', COPY_RATE_LIMIT: '10M' });
    await system.startServer();
    const soak = new Soak(system, redis, await ServiceProcess.startWorker(system.environment), random);
    while (soak.victims.length < victimsAtOnce) await soak.startVictim();
    return soak;
  }

  /** Delivers and requests another dataset. */
  async deliver(): Promise<void> {
    const name = `DS-${String(this.datasets.length)}`;
    const small = Array.from(
      { length: 20 },
      (_, at) => [`${name}/small/${String(at)}`, `${name} ${String(at)}`] as const,
    );
    await this.system.deliver('SUB-1', {
      ...Object.fromEntries(small),
      [`${name}/large`]: Buffer.alloc(9 << 20, name),
    });
    this.datasets.push(name);
    await this.ask(name);
  }

  /** Delivers another dataset and injects a fault during its import. */
  async round(): Promise<void> {
    await this.deliver();
    await setTimeout(this.random() * 1_500);
    const [what, make] = this.one(this.faults);
    await make();
    this.injected.set(what, (this.injected.get(what) ?? 0) + 1);
  }

  /** Returns the resource usage of the steady worker when it is idle. */
  async taken(): Promise<ResourceUsage> {
    const process = `/proc/${String(this.steady.pid)}`;
    const status = await readFile(`${process}/status`, 'utf8');
    const number = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
    const descriptors = (await readdir(`${process}/fd`)).length;
    return { descriptors, threads: number('Threads'), peakBytes: number('VmHWM') * 1024 };
  }

  /** Stops the faults and imports all delivered datasets. */
  async settle(): Promise<void> {
    await Promise.all(this.waking);
    for (const name of this.datasets) {
      await until(async () => {
        const { state, import: last } = (await this.system.get(`/datasets/srcsys/${name}`)).body;
        if (state === 'imported' || state === 'differs') return true;
        if (last?.state !== 'active') await this.ask(name);
        return false;
      }, 120_000);
    }
    await until(async () => {
      const { items } = (await this.system.get('/imports?limit=1000')).body;
      return items.every(({ state }) => ['finished', 'rejected', 'failed', 'cancelled'].includes(state));
    }, 120_000);
  }

  /** Fails with every invariant that does not hold. */
  async check(): Promise<void> {
    for (const worker of [this.steady, ...this.victims]) expect(await worker.end('SIGTERM')).toBe(0);
    await (await World.of(this.system)).check();
  }

  async stop(): Promise<void> {
    await Promise.all([this.steady, ...this.victims].map((worker) => worker.end('SIGKILL')));
    await this.system.stop();
    await this.redis.stop();
  }

  /** Requests an import and ignores the response, because the queue may be down. */
  private async ask(dataset: string): Promise<void> {
    const { status, body } = await this.system.post('/datasets/srcsys/import', { dataset_id: dataset });
    if (status === 202) this.imports.push(body.id);
  }

  private one<T>(from: readonly T[]): T {
    return from[Math.floor(this.random() * from.length)] as T;
  }

  private async startVictim(): Promise<void> {
    this.victims.push(await ServiceProcess.startWorker(this.system.environment));
  }

  private async replaceVictim(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    await this.victims.shift()?.end(signal);
    await this.startVictim();
  }

  /** Does not wait for the end of the fault. */
  private async haltVictim(): Promise<void> {
    const victim = this.victims.shift();
    victim?.send('SIGSTOP');
    this.waking.push(
      setTimeout(haltMs).then(async () => {
        victim?.send('SIGCONT');
        expect(await victim?.end('SIGTERM')).toBe(0);
      }),
    );
    await this.startVictim();
  }

  private async killRedis(emptied: boolean): Promise<void> {
    await this.redis.kill();
    await setTimeout(this.random() * 2_000);
    await this.redis.restart(emptied);
  }

  private async silenceRedis(): Promise<void> {
    this.redis.halt();
    await setTimeout(this.random() * 5_000);
    this.redis.resume();
  }

  private touch(dataset: string): Promise<void> {
    const now = Date.now() / 1000;
    return utimes(join(this.system.source, 'SUB-1', dataset, 'large'), now, now);
  }
}
