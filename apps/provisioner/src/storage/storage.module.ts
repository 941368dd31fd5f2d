import { Module } from '@nestjs/common';
import { fileURLToPath } from 'node:url';
import { RequestLog } from '../imports/request-log.js';
import { isS3, openBucket } from '../s3/s3-location.js';
import { ProvisionerSettings } from '../settings.js';
import { PosixRecords } from './posix/posix-records.js';
import { PosixStorage } from './posix/posix-storage.js';
import { Records } from './records.js';
import { S3Records } from './s3/s3-records.js';
import { S3Storage } from './s3/s3-storage.js';
import { Storage } from './storage.js';
import { StorageMetrics } from './storage.metrics.js';
import { StoredRequestLog } from './stored-request-log.js';

/** The data storage that `STORAGE_URL` names. */
export function openStorage(settings: ProvisionerSettings): Storage {
  const { STORAGE_URL } = settings;
  return isS3(STORAGE_URL)
    ? new S3Storage(openBucket(STORAGE_URL, settings.s3Access('STORAGE')))
    : new PosixStorage(fileURLToPath(STORAGE_URL));
}

function openRecords(settings: ProvisionerSettings): Records {
  const { STORAGE_URL } = settings;
  return isS3(STORAGE_URL)
    ? new S3Records(openBucket(STORAGE_URL, settings.s3Access('STORAGE')))
    : new PosixRecords(fileURLToPath(STORAGE_URL));
}

/** The data storage that `STORAGE_URL` names, and the request log in it. */
@Module({
  providers: [
    {
      provide: Storage,
      inject: [ProvisionerSettings],
      useFactory: openStorage,
    },
    { provide: Records, inject: [ProvisionerSettings], useFactory: openRecords },
    { provide: RequestLog, inject: [Records], useFactory: (records: Records) => new StoredRequestLog(records) },
    StorageMetrics,
  ],
  exports: [Storage, Records, RequestLog],
})
export class StorageModule {}
