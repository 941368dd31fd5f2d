import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { buildServices, ServiceProcess } from '../../../../test/support/service-process.ts';
import { globalKey, TestSystem } from '../support/system.js';
import { until } from '../../../../test/support/until.ts';

const run = promisify(execFile);
/** The time in milliseconds within which every read must be answered. */
const promptMs = 10_000;
const reads = ['/imports', '/datasets/srcsys', '/datasets/srcsys/diff', '/imports/schedule'];

interface Loss {
  /** Makes the storage unusable for writes. */
  readonly lose: (storage: string) => Promise<unknown>;
  readonly restore: (storage: string) => Promise<unknown>;
  /** Status and reason of a refused request. */
  readonly refusal: readonly [number, string];
  /** A part of the readiness report of the storage. */
  readonly report: string;
}

const ballastOf = (storage: string): string => join(storage, 'ballast');

async function fill(storage: string): Promise<void> {
  const file = await open(ballastOf(storage), 'a');
  try {
    for (;;) await file.write(Buffer.alloc(4096));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    await file.close();
  }
}

const losses: readonly (readonly [string, Loss])[] = [
  [
    'is full',
    {
      lose: fill,
      restore: (storage) => rm(ballastOf(storage)),
      refusal: [507, 'disk_full'],
      report: 'cannot be written: it is full (ENOSPC)',
    },
  ],
  [
    'is read-only',
    {
      lose: (storage) => run('mount', ['-o', 'remount,ro', storage]),
      restore: (storage) => run('mount', ['-o', 'remount,rw', storage]),
      refusal: [503, 'read_only'],
      report: 'cannot be written: it is read-only (EROFS)',
    },
  ],
  [
    'has no free inode',
    {
      lose: async (storage) => {
        await mkdir(ballastOf(storage), { recursive: true });
        for (let index = 0; index < 400; index += 1) {
          await writeFile(join(ballastOf(storage), randomUUID()), '').catch(() => undefined);
        }
      },
      restore: (storage) => rm(ballastOf(storage), { recursive: true }),
      refusal: [507, 'disk_full'],
      report: 'cannot be written: it is full (ENOSPC)',
    },
  ],
];

describe('a provisioner whose storage fails', () => {
  beforeAll(() => buildServices());

  it.each(losses)(
    'should answer reads, refuse imports with the reason and recover when the storage %s',
    async (_, loss) => {
      const system = await TestSystem.create();
      await run('mount', ['-t', 'tmpfs', '-o', 'size=24m,nr_inodes=400', 'none', system.storage]);
      let worker: ServiceProcess | null = null;
      try {
        await system.deliver('SUB-1', { 'DS-1/file': 'content' });
        await system.deliver('SUB-2', { 'DS-2/file': 'content' });
        await system.startServer();
        worker = await ServiceProcess.startWorker(system.environment);
        const { id } = (await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).body;
        expect(await system.ended(id)).toMatchObject({ state: 'finished' });
        await loss.lose(system.storage);

        for (const path of [...reads, `/imports/${id}`])
          expect([path, await statusOf(system, path)]).toEqual([path, 200]);
        const refused = await system.post('/datasets/srcsys/import', { dataset_id: 'DS-2' });
        expect([refused.status, reasonOf(refused)]).toEqual(loss.refusal);
        // The refused request has removed its files, which freed some space.
        await loss.lose(system.storage);
        await until(async () => (await readiness(system.url)).text.includes(loss.report));
        expect(await readiness(system.url)).toMatchObject({ status: 200, health: 'degraded' });
        const workerUrl = worker.url;
        await until(async () => (await readiness(workerUrl)).text.includes(loss.report));
        expect(await readiness(workerUrl)).toMatchObject({ status: 503, health: 'not_ready' });
        const metrics = await (await fetch(`${system.url}/metrics`)).text();
        expect(metrics).toMatch(/^rdc_dependency_up\{.*dependency="storage".*\} 0$/m);

        await loss.restore(system.storage);
        await until(async () => (await readiness(system.url)).health === 'ready');
        await until(async () => (await readiness(workerUrl)).health === 'ready');
        const again = await system.post('/datasets/srcsys/import', { dataset_id: 'DS-2' });
        expect(await system.ended(again.body.id)).toMatchObject({ state: 'finished', attempt: 1 });
      } finally {
        await worker?.end('SIGKILL');
        await run('umount', ['-l', system.storage]);
        await system.stop();
      }
    },
  );
});

async function statusOf(system: TestSystem, path: string): Promise<number> {
  const late = pause(promptMs, undefined, { ref: false }).then(() => Promise.reject(new Error(`${path} hangs`)));
  return (await Promise.race([system.get(path), late])).status;
}

function reasonOf({ body }: { readonly body: { readonly more: unknown } }): string | undefined {
  return (body.more as { reason?: string }).reason;
}

async function readiness(url: string): Promise<{ status: number; health: string; text: string }> {
  const answer = await fetch(`${url}/health/ready`, { headers: { 'X-API-Key': globalKey } });
  const text = await answer.text();
  return { status: answer.status, health: (JSON.parse(text) as { status: string }).status, text };
}
