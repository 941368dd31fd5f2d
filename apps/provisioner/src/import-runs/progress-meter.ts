import { counterIndex } from '../copy/copy-messages.js';
import type { ImportPlan } from '../model/import-plan.js';
import type { ImportProgress } from '../model/import-record.js';
import type { ShardProgress, ShardTotals } from '../model/shards.js';
import { PhaseSpans } from './phase-spans.js';

/** The weight of the latest second in the average speed. */
const smoothing = 0.2;

/** The most files that are reported as being copied. */
const maxCurrent = 5;

const noShards: ShardProgress = { files: 0, bytes: 0, current: [] };

/** Files that are processed together. */
interface Group {
  readonly files: readonly { readonly path: string }[];
}

/** The progress of a copy that several workers share. */
interface ShardedProgress {
  /** The files that were finished before this start. */
  readonly before: ShardTotals;
  now: ShardProgress;
}

/** A meter of the progress of an import. Copy threads add to its counters. */
export class ProgressMeter {
  /** Shared with the copy threads; `counterIndex` states the index of each counter. */
  readonly counters = new BigInt64Array(new SharedArrayBuffer(8 * Object.keys(counterIndex).length));
  /** The plan in short, after the planning. */
  plan: ImportPlan | null = null;
  filesTotal: number | null = null;
  bytesTotal: number | null = null;
  filesDone = 0;
  /** Files that were recorded as finished, and their bytes. The next start finds them. */
  readonly recorded = { files: 0, bytes: 0 };
  /** Bytes of the files that an earlier start finished. */
  bytesResumed = 0;
  private shards: ShardedProgress | null = null;
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

  /** Ends the span of the current phase at the end of the run. */
  stop(): void {
    this.spans.end(this.facts());
  }

  /** Stops copy threads before their next buffer. */
  abort(): void {
    Atomics.store(this.counters, counterIndex.aborted, 1n);
  }

  /** Reports files as being processed, until `end`. */
  begin(group: Group): void {
    this.active.add(group);
  }

  end(group: Group): void {
    this.active.delete(group);
  }

  /** Counts files that an earlier start or a shard has finished. Those of shards are already counted. */
  addFound(files: number, bytes: number): void {
    if (this.shards) return;
    this.filesDone += files;
    this.bytesResumed += bytes;
  }

  /** Reports the progress of all shards. The first report states what earlier starts have finished. */
  reportShards(now: ShardProgress): void {
    this.shards ??= { before: now, now };
    this.shards.now = now;
    const { before } = this.shards;
    this.recorded.files = Math.max(this.recorded.files, now.files - before.files);
    this.recorded.bytes = Math.max(this.recorded.bytes, now.bytes - before.bytes);
  }

  /** The average speed at the last `read`. */
  get bytesPerSecond(): number {
    return Math.round(this.speed ?? 0);
  }

  /** Bytes that the next start finds. Of parts of unfinished files it counts only those that this start found. */
  get durableBytes(): number {
    const resumed = this.bytesResumed + (this.shards?.before.bytes ?? 0);
    return resumed + Math.max(this.partsResumed, this.recorded.bytes);
  }

  /** Returns the progress. The speed is averaged over the calls, so call this method about once a second. */
  read(): ImportProgress {
    const { files: filesOfShards, bytes: bytesOfShards, current } = this.shards?.now ?? noShards;
    const copied = Number(Atomics.load(this.counters, counterIndex.bytes)) + bytesOfShards;
    this.measure(copied);
    const done = copied + this.bytesResumed;
    const bytesLeft = this.bytesTotal === null ? null : Math.max(0, this.bytesTotal - done);
    return {
      phase: this.phase,
      files_done: this.filesDone + filesOfShards,
      files_total: this.filesTotal,
      bytes_done: done,
      bytes_total: this.bytesTotal,
      bytes_resumed: this.bytesResumed + this.partsResumed + (this.shards?.before.bytes ?? 0),
      bytes_per_second: this.speed === null ? null : Math.round(this.speed),
      seconds_left: bytesLeft === null || !this.speed ? null : Math.ceil(bytesLeft / this.speed),
      current: [...this.current(), ...current].slice(0, maxCurrent),
    };
  }

  /** Returns the first file of each of the oldest groups. */
  current(): string[] {
    return [...this.active].slice(0, maxCurrent).flatMap(({ files }) => files[0]?.path ?? []);
  }

  /** Bytes of parts of unfinished files that an earlier start copied. */
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
