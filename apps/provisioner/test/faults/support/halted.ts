import { readFile } from 'node:fs/promises';
import type { Bucket } from '../../../src/s3/bucket.js';
import type { Files } from '../../support/delivery.js';
import { ServiceProcess } from '../../../../../test/support/service-process.ts';
import { type TestSystem } from '../../support/system.js';
import { until } from '../../../../../test/support/until.ts';
import { World } from './world.js';

/** A delivery whose large file has two parts in a bucket. */
const firstDelivery = { 'DS-1/a': 'as it was', 'DS-1/gone': 'later', 'DS-1/large': Buffer.alloc(17 << 20, 1) };
const after = { 'DS-1/a': 'as it is now', 'DS-1/new': 'since' };

/**
 * Imports DS-1 with a worker that pauses itself at a failpoint. The worker continues after it has lost its lock and a
 * second worker has ended the import.
 *
 * @param source whether the source changes before the second worker starts
 * @param before the delivery of the first worker
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
    const paused = await ServiceProcess.startWorker(environment);
    const { id } = (await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).body;
    await hasHalted(paused);
    if (source === 'another') await system.redeliver('SUB-1', after);
    const world = await World.of(system, bucket);
    await system.startWorker();
    expect(await system.ended(id)).toMatchObject({ state: 'finished', attempt: 1 });
    paused.send('SIGCONT');
    await paused.end('SIGTERM');
    await world.check();
  } finally {
    await system.stop();
  }
}

/** Resolves when a process has paused itself at its failpoint. */
export async function hasHalted({ pid }: ServiceProcess): Promise<void> {
  await until(async () => /^State:\s+T/m.test(await readFile(`/proc/${String(pid)}/status`, 'utf8')));
}
