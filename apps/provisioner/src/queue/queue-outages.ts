import { Injectable, Logger } from '@nestjs/common';
import { OutageLog } from '@rdc/http';
import { ImportQueue } from './import-queue.js';

/** Longer than the interval between two connection attempts of the queue's client. */
const quietMs = 30_000;

/** The log of outages of the queue, shared by all connections of a process, because they fail together. */
@Injectable()
export class QueueOutages extends OutageLog {
  constructor() {
    super('queue', new Logger(ImportQueue.name), { reminderMs: 60_000, quietMs });
  }
}
