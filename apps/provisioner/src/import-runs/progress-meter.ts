import { counterIndex } from '../copy/copy-messages.js';
import type { ImportProgress } from '../model/import-record.js';
import { PhaseSpans } from './phase-spans.js';

/** How much a second counts in the average of the speed. */
const smoothing = 0.2;

/** Files named as being copied, at most. */
const maxCurrent = 5;

/** Files that are copied together. */
interface Group {
  readonly files: readonly { readonly path: string }[];
}

/** Knows how far an import is; copy threads count into it. */
export class ProgressMeter {
  /** Shared with the copy threads; see `counterPlaces`. */
  readonly counters = new BigInt64Array(new SharedArrayBuffer(8 * Object.keys(counterIndex).length));
  filesTotal: number | null = null;
  bytesTotal: number | null = null;
  filesDone = 0;
  /** Files that were noted as finished, and their bytes: the next start finds them. */
  readonly recorded = { files: 0, bytes: 0 };
  /** Bytes of the files that an earlier start had finished. */
  bytesResumed = 0;
  private currentPhase: ImportProgress['phase'] = 'planning';
  private readonly spans = new PhaseSpans('planning');
  private readonly active = new Set<Group>();
  private lastBytes = 0;
  private lastAt = performance.now();
  private speed: number | null = null;

  get phase(): ImportProgress['phase'] {
    return this.currentPhase;
  }

  set phase(phase: ImportProgress['phase']) {
    this.currentPhase = phase;
    this.spans.enter(phase, this.facts());
  }

  /** Nothing more is done of the import in this run. */
  stop(): void {
    this.spans.end(this.facts());
  }

  /** Makes copying threads stop before their next buffer. */
  abort(): void {
    Atomics.store(this.counters, counterIndex.aborted, 1n);
  }

  /** These files are being copied. */
  begin(group: Group): void {
    this.active.add(group);
  }

  end(group: Group): void {
    this.active.delete(group);
  }

  /** The average speed as of the last `read`. */
  get bytesPerSecond(): number {
    return Math.round(this.speed ?? 0);
  }

  /** Bytes that the next start will find, as far as this one knows: of the parts in a bucket those that it has found. */
  get durableBytes(): number {
    return this.bytesResumed + Math.max(this.partsResumed, this.recorded.bytes);
  }

  /** How far it is now; the speed is averaged over the calls, so call it about once a second. */
  read(): ImportProgress {
    const copied = Number(Atomics.load(this.counters, counterIndex.bytes));
    this.measure(copied);
    const done = copied + this.bytesResumed;
    const left = this.bytesTotal === null ? null : Math.max(0, this.bytesTotal - done);
    return {
      phase: this.phase,
      files_done: this.filesDone,
      files_total: this.filesTotal,
      bytes_done: done,
      bytes_total: this.bytesTotal,
      bytes_resumed: this.bytesResumed + this.partsResumed,
      bytes_per_second: this.speed === null ? null : Math.round(this.speed),
      seconds_left: left === null || !this.speed ? null : Math.ceil(left / this.speed),
      current: this.current(),
    };
  }

  /** The first file of each of the groups that were begun first. */
  private current(): string[] {
    return [...this.active].slice(0, maxCurrent).flatMap(({ files }) => files[0]?.path ?? []);
  }

  /** Bytes of parts of unfinished files that an earlier start had sent. */
  private get partsResumed(): number {
    return Number(Atomics.load(this.counters, counterIndex.resumed));
  }

  private facts(): { readonly 'import.files': number; readonly 'import.bytes': number } {
    const bytes = Number(Atomics.load(this.counters, counterIndex.bytes));
    return { 'import.files': this.filesDone, 'import.bytes': bytes + this.bytesResumed };
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
