import { Module } from '@nestjs/common';
import { fileURLToPath } from 'node:url';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { PosixRecords } from './posix/posix-records.js';
import { PosixStorage } from './posix/posix-storage.js';
import { Records } from '../model/records.js';
import { Storage } from '../model/storage.js';
import { WithdrawalLog } from '../model/withdrawal-log.js';
import { StorageGuarantees } from './storage-guarantees.js';
import { StorageMetrics } from './storage.metrics.js';

/** Injection token of the storage whose writes do not await its guarantees. */
const unguarded = Symbol('unguarded storage');

/** Opens the storage of `STORAGE_URL`. The client of S3 is loaded only for a bucket, because it uses much memory. */
export async function openStorage(settings: ProvisionerSettings): Promise<Storage> {
  const { STORAGE_URL } = settings;
  const access = settings.s3Access('STORAGE');
  if (!access) return new PosixStorage(fileURLToPath(STORAGE_URL));
  const { openBucket } = await import('../s3/s3-location.js');
  const { S3Storage } = await import('./s3/s3-storage.js');
  return new S3Storage(openBucket(STORAGE_URL, access));
}

/** Opens the records in the storage of `STORAGE_URL`. */
export async function openRecords(settings: ProvisionerSettings): Promise<Records> {
  const { STORAGE_URL } = settings;
  const access = settings.s3Access('STORAGE');
  if (!access) return new PosixRecords(fileURLToPath(STORAGE_URL));
  const { openBucket } = await import('../s3/s3-location.js');
  const { S3Records } = await import('./s3/s3-records.js');
  return new S3Records(openBucket(STORAGE_URL, access));
}

/** Provides the storage of `STORAGE_URL` and its records. */
@Module({
  providers: [
    { provide: unguarded, inject: [ProvisionerSettings], useFactory: openStorage },
    {
      provide: StorageGuarantees,
      inject: [unguarded],
      useFactory: (storage: Storage) => new StorageGuarantees(() => storage.probe()),
    },
    {
      provide: Storage,
      inject: [unguarded, StorageGuarantees],
      useFactory: (storage: Storage, guarantees: StorageGuarantees) => guarantees.guardStorage(storage),
    },
    {
      provide: Records,
      inject: [ProvisionerSettings, StorageGuarantees],
      useFactory: async (settings: ProvisionerSettings, guarantees: StorageGuarantees) =>
        guarantees.guardRecords(await openRecords(settings)),
    },
    {
      provide: WithdrawalLog,
      inject: [Records],
      useFactory: (records: Records) => new WithdrawalLog(records),
    },
    StorageMetrics,
  ],
  exports: [Storage, StorageGuarantees, Records, WithdrawalLog],
})
export class StorageModule {}
