import { Sweeper } from '../../../src/import-runs/sweeper.js';
import type { Bucket } from '../../../src/s3/bucket.js';
import type { ProvisionerSettings } from '../../../src/settings/provisioner.settings.js';
import { PosixRecords } from '../../../src/storage/posix/posix-records.js';
import { PosixStorage } from '../../../src/storage/posix/posix-storage.js';
import { StoredRequestLog } from '../../../src/request-log/stored-request-log.js';
import type { Files } from '../../support/delivery.js';
import { ServiceProcess } from '../../../../../test/support/service-process.ts';
import type { TestSystem } from '../../support/system.js';
import { World } from './world.js';

/** The reuse of the files of a killed worker by the next worker. */
export interface Reuse {
  /** The number of reused files. */
  readonly files: number;
  /** Bytes of the files that the second worker has copied. */
  readonly bytesCopied: number;
  /** Bytes that the second worker has read from any file, including its code. */
  readonly bytesRead: number;
  /** Bytes that the second worker reports as resumed. */
  readonly bytesResumed: number;
  /** Whether the dataset was published when the first worker was dead. */
  readonly wasVisible: boolean;
}

/**
 * Imports a dataset DS-1 with a worker that kills itself at a failpoint, and then with a second worker.
 *
 * @param settings of the first worker in addition to those of the system
 */
export async function reuseAfterKill(
  system: TestSystem,
  bucket: Bucket | null,
  delivery: Files,
  settings: Readonly<Record<string, string>> & { readonly FAILPOINT: string },
): Promise<Reuse> {
  const processes: ServiceProcess[] = [];
  const start = async (environment: Record<string, string>): Promise<ServiceProcess> => {
    const worker = await ServiceProcess.startWorker(environment);
    processes.push(worker);
    return worker;
  };
  try {
    await system.deliver('SUB-1', delivery);
    const world = await World.of(system, bucket);
    await system.startServer();
    const first = await start({ ...system.environment, ...settings });
    const { id } = (await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).body;
    expect(await first.signalOfEnd()).toBe('SIGKILL');
    const [before, wasVisible] = [await world.filesOf('DS-1'), await world.isVisible('DS-1')];
    const second = await start(system.environment);
    const ended = await system.ended(id);
    expect(ended).toMatchObject({ state: 'finished', attempt: 1 });
    const bytesRead = await second.bytesRead();
    await second.end('SIGTERM');
    if (!bucket) await sweepHalfStatus(system.storage);
    await world.check();
    const after = [...(await world.filesOf('DS-1'))];
    const copied = after.filter(([path, { identity }]) => before.get(path)?.identity !== identity);
    const bytesCopied = copied.reduce((sum, [, { size }]) => sum + size, 0);
    const { bytes_resumed: bytesResumed } = ended.progress;
    return { files: after.length - copied.length, bytesCopied, bytesRead, bytesResumed, wasVisible };
  } finally {
    await Promise.all(processes.map((process) => process.end('SIGKILL')));
    await system.stop();
  }
}

/** Sweeps the storage. A kill may leave an incomplete status file; the sweep must find no other leftover. */
async function sweepHalfStatus(folder: string): Promise<void> {
  const log = new StoredRequestLog(new PosixRecords(folder));
  const sweeper = new Sweeper(new PosixStorage(folder), log, { STAGING_DAYS: 7 } as ProvisionerSettings);
  const removed = await sweeper.sweep(Date.now() + 2 * 60 * 60_000);
  expect(removed.filter((name) => !/\/\.requests\/status\/[^/]+\.tmp$/.test(name))).toEqual([]);
}
