import { counterPlaces } from '../copy/copy-messages.js';
import type { ImportProgress } from './import-record.js';

/** How much a second counts in the average of the speed. */
const smoothing = 0.2;

/** Files named as being copied, at most. */
const maxCurrent = 5;

/** Knows how far an import is; copy threads count into it. */
export class ProgressMeter {
  /** Shared with the copy threads; see `counterPlaces`. */
  readonly counters = new BigInt64Array(new SharedArrayBuffer(16));
  phase: ImportProgress['phase'] = 'planning';
  filesTotal: number | null = null;
  bytesTotal: number | null = null;
  filesDone = 0;
  bytesResumed = 0;
  private readonly active = new Set<string>();
  private lastBytes = 0;
  private lastAt = performance.now();
  private speed: number | null = null;

  /** Makes copying threads stop before their next buffer. */
  abort(): void {
    Atomics.store(this.counters, counterPlaces.aborted, 1n);
  }

  begin(path: string): void {
    this.active.add(path);
  }

  end(path: string): void {
    this.active.delete(path);
  }

  /** How far it is now; the speed is averaged over the calls, so call it about once a second. */
  read(): ImportProgress {
    const copied = Number(Atomics.load(this.counters, counterPlaces.bytes));
    this.measure(copied);
    const done = copied + this.bytesResumed;
    const left = this.bytesTotal === null ? null : Math.max(0, this.bytesTotal - done);
    return {
      phase: this.phase,
      files_done: this.filesDone,
      files_total: this.filesTotal,
      bytes_done: done,
      bytes_total: this.bytesTotal,
      bytes_resumed: this.bytesResumed,
      bytes_per_second: this.speed === null ? null : Math.round(this.speed),
      seconds_left: left === null || !this.speed ? null : Math.ceil(left / this.speed),
      current: [...this.active].slice(0, maxCurrent),
    };
  }

  private measure(copied: number): void {
    const now = performance.now();
    const seconds = (now - this.lastAt) / 1000;
    if (seconds < 0.2) return;
    const current = (copied - this.lastBytes) / seconds;
    this.speed = this.speed === null ? current : this.speed + smoothing * (current - this.speed);
    this.lastBytes = copied;
    this.lastAt = now;
  }
}
