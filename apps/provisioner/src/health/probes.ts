import { Injectable } from '@nestjs/common';
import { ReadinessProbe } from '@rdc/http';
import { ImportQueue } from '../queue/import-queue.js';
import { SourceScan } from '../source/source-scan.js';
import { SourceSystem } from '../source/source-system.js';
import { Storage } from '../storage/storage.js';

/** The storage can be listed. */
@Injectable()
export class StorageProbe extends ReadinessProbe {
  readonly dependency = 'storage';

  constructor(private readonly storage: Storage) {
    super();
  }

  check(): Promise<void> {
    return this.storage.ping();
  }
}

/** The source can be listed. */
@Injectable()
export class SourceProbe extends ReadinessProbe {
  readonly dependency = 'source';

  constructor(private readonly source: SourceSystem) {
    super();
  }

  check(): Promise<void> {
    return this.source.probe();
  }
}

/** The queue answers. */
@Injectable()
export class QueueProbe extends ReadinessProbe {
  readonly dependency = 'queue';

  constructor(private readonly queue: ImportQueue) {
    super();
  }

  check(): Promise<void> {
    return this.queue.probe();
  }
}

/** The source was scanned once, so that lists show sizes. */
@Injectable()
export class ScanProbe extends ReadinessProbe {
  readonly dependency = 'scan';

  constructor(private readonly scan: SourceScan) {
    super();
  }

  check(): Promise<void> {
    return this.scan.result.scannedAt ? Promise.resolve() : Promise.reject(new Error('the first scan has not ended'));
  }
}
