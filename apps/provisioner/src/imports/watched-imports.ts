import { Injectable } from '@nestjs/common';
import type { ImportRecord } from '../model/import-record.js';
import { RequestLog } from '../model/request-log.js';

/** The interval at which the log is notified again that an import is watched. */
const intervalMs = 5_000;

/** The number of imports from which outdated entries are removed. */
const mostImports = 1_000;

/** The imports whose status clients of this service read. */
@Injectable()
export class WatchedImports {
  /** When the watch of an import was last recorded, by its id and by `performance.now`. */
  private readonly recordedAt = new Map<string, number>();

  constructor(private readonly log: RequestLog) {}

  /** Records that a client reads the status of an import. Does nothing unless the import runs. A failure has no effect. */
  record({ request, status }: Pick<ImportRecord, 'request' | 'status'>): void {
    const now = performance.now();
    const last = this.recordedAt.get(request.id);
    if (status?.state !== 'running' || (last !== undefined && now - last < intervalMs)) return;
    if (this.recordedAt.size >= mostImports) this.removeOutdated(now);
    this.recordedAt.set(request.id, now);
    this.log.recordWatch(request).catch(() => undefined);
  }

  private removeOutdated(now: number): void {
    for (const [id, at] of this.recordedAt) if (now - at >= intervalMs) this.recordedAt.delete(id);
  }
}
