import { readFile } from 'node:fs/promises';
import type { Bucket } from '../../../src/s3/bucket.js';
import type { Files } from '../../support/delivery.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until, type TestSystem } from '../../support/system.js';
import { World } from './world.js';

/** Two parts in a bucket. */
const firstDelivery = { 'DS-1/a': 'as it was', 'DS-1/gone': 'later', 'DS-1/large': Buffer.alloc(17 << 20, 1) };
const after = { 'DS-1/a': 'as it is now', 'DS-1/new': 'since' };

/**
 * Has DS-1 imported by a worker that halts itself at a failpoint until its lock is lost and another has ended the
 * import, and then goes on.
 *
 * @param source whether the second worker finds the same source or another
 * @param before what the first worker finds
 */
export async function outlivedAt(
  system: TestSystem,
  bucket: Bucket | null,
  failpoint: string,
  source: 'the same' | 'another',
  before: Files = firstDelivery,
): Promise<void> {
  try {
    await system.deliver('SUB-1', before);
    await system.startServer();
    const environment = { ...system.environment, FAILPOINT: `${failpoint}:1:SIGSTOP` };
    const sleeper = await ServiceProcess.startWorker(environment);
    const { id } = (await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).body;
    await hasHalted(sleeper);
    if (source === 'another') await system.redeliver('SUB-1', after);
    const world = await World.of(system, bucket);
    await system.startWorker();
    expect(await system.ended(id)).toMatchObject({ state: 'finished', attempt: 1 });
    sleeper.send('SIGCONT');
    await sleeper.end('SIGTERM');
    await world.check();
  } finally {
    await system.stop();
  }
}

/** Resolves when a process has halted itself at its failpoint. */
export async function hasHalted({ pid }: ServiceProcess): Promise<void> {
  await until(async () => /^State:\s+T/m.test(await readFile(`/proc/${String(pid)}/status`, 'utf8')));
}
