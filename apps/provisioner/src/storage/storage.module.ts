import { Module } from '@nestjs/common';
import { fileURLToPath } from 'node:url';
import { RequestLog } from '../imports/request-log.js';
import { ProvisionerSettings } from '../settings.js';
import { PosixRecords } from './posix/posix-records.js';
import { PosixStorage } from './posix/posix-storage.js';
import { Storage } from './storage.js';
import { StoredRequestLog } from './stored-request-log.js';

/** The data storage that `STORAGE_URL` names, and the request log in it. */
@Module({
  providers: [
    {
      provide: Storage,
      inject: [ProvisionerSettings],
      useFactory: ({ STORAGE_URL }: ProvisionerSettings) => new PosixStorage(fileURLToPath(STORAGE_URL)),
    },
    {
      provide: RequestLog,
      inject: [ProvisionerSettings],
      useFactory: ({ STORAGE_URL }: ProvisionerSettings) =>
        new StoredRequestLog(new PosixRecords(fileURLToPath(STORAGE_URL))),
    },
  ],
  exports: [Storage, RequestLog],
})
export class StorageModule {}
