import { Injectable } from '@nestjs/common';
import { addReading } from '@rdc/http';
import { Registry } from 'prom-client';
import { ImportQueue } from './import-queue.js';

/** The metrics of the queue. */
@Injectable()
export class QueueMetrics {
  constructor(queue: ImportQueue, registry: Registry) {
    addReading(registry, {
      name: 'provisioner_queue_jobs',
      help: 'Number of imports in the queue by state: waiting for a worker, active, or delayed.',
      label: 'state',
      read: () => queue.countJobs(),
    });
    addReading(registry, {
      name: 'provisioner_queue_oldest_seconds',
      help: 'Waiting time of the oldest import in the queue, in seconds; 0 if no import waits.',
      read: () => queue.secondsWaited(),
    });
  }
}
