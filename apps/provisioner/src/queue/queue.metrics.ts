import { Injectable } from '@nestjs/common';
import { addReading } from '@rdc/http';
import { Registry } from 'prom-client';
import { ImportQueue } from './import-queue.js';

/** How much waits in the queue, and for how long. */
@Injectable()
export class QueueMetrics {
  constructor(queue: ImportQueue, registry: Registry) {
    addReading(registry, {
      name: 'provisioner_queue_jobs',
      help: 'Imports in the queue: waiting for a worker, active in one, or delayed until a later try.',
      label: 'state',
      read: () => queue.countJobs(),
    });
    addReading(registry, {
      name: 'provisioner_queue_oldest_seconds',
      help: 'For how long the oldest import has been waiting for a worker; 0 when none waits.',
      read: () => queue.secondsWaited(),
    });
  }
}
