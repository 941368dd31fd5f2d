import { Injectable, Logger } from '@nestjs/common';
import { OutageLog } from '@rdc/http';
import { ImportQueue } from './import-queue.js';

/** Longer than the pause between two attempts of a queue's client to connect. */
const quietMs = 30_000;

/** Log of the outages of the queue: one for every connection of a process, which all fail at once. */
@Injectable()
export class QueueOutages extends OutageLog {
  constructor() {
    super('queue', new Logger(ImportQueue.name), { reminderMs: 60_000, quietMs });
  }
}
