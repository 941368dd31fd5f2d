import { Module } from '@nestjs/common';
import { Records } from '../model/records.js';
import { RequestLog } from '../model/request-log.js';
import { StorageModule } from '../storage/storage.module.js';
import { StoredRequestLog } from './stored-request-log.js';

/** The request log in the storage. */
@Module({
  imports: [StorageModule],
  providers: [
    { provide: RequestLog, inject: [Records], useFactory: (records: Records) => new StoredRequestLog(records) },
  ],
  exports: [RequestLog],
})
export class RequestLogModule {}
