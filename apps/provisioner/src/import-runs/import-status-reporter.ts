import {
  isIrrevocable,
  type ImportError,
  type ImportProgress,
  type ImportRequest,
  type ImportStatus,
} from '../model/import-record.js';
import type { ProgressMeter } from './progress-meter.js';
import type { RequestLog } from '../model/request-log.js';

/** How often a running import writes down how far it is. */
const statusEveryMs = 1_000;

/** How often it looks whether it should stop. */
const cancelEveryMs = 300;

const cancelled = Symbol('cancelled');

/** Whether a run was stopped because somebody cancelled the import, or has ended it meanwhile. */
export function isCancelled(signal: AbortSignal): boolean {
  return signal.reason === cancelled;
}

/**
 * While an import runs: keeps its status in the log, and sees when it is cancelled, by whatever process. A status that
 * cannot be written is missed by nobody but those who look.
 */
export class ImportStatusReporter {
  readonly startedAt: string;
  /** Aborted when the import is cancelled, or when the process must let go of it. */
  readonly signal: AbortSignal;
  private readonly stopping = new AbortController();
  private readonly starts: number;
  private idleStarts: number;
  private tries: number;
  /** The most bytes that starts before this one have kept or found kept. */
  private readonly keptBefore: number;
  private timers: NodeJS.Timeout[] = [];
  /** What is under way: where the log takes longer than they come, turns are left out. */
  private writing: Promise<void> | null = null;
  private looking: Promise<void> | null = null;

  constructor(
    private readonly log: RequestLog,
    private readonly request: ImportRequest,
    private readonly meter: ProgressMeter,
    former: ImportStatus | null,
    private readonly outer: AbortSignal,
  ) {
    this.startedAt = former?.started_at ?? new Date().toISOString();
    this.starts = (former?.starts ?? 0) + 1;
    this.idleStarts = (former?.idle_starts ?? 0) + 1;
    this.tries = former?.tries ?? 0;
    this.keptBefore = former?.kept_bytes ?? 0;
    this.signal = AbortSignal.any([outer, this.stopping.signal]);
    this.signal.addEventListener('abort', () => {
      meter.abort();
    });
  }

  /** Notes the start before anything else is done, so that a crash counts. */
  async start(): Promise<{ readonly idleStarts: number }> {
    await this.sendHeartbeat();
    this.timers = [
      setInterval(() => {
        this.writing ??= this.sendHeartbeat().finally(() => (this.writing = null));
      }, statusEveryMs),
      setInterval(() => {
        this.looking ??= this.lookForCancel().finally(() => (this.looking = null));
      }, cancelEveryMs),
    ];
    return { idleStarts: this.idleStarts };
  }

  /** Notes how far it is now. */
  sendHeartbeat(): Promise<void> {
    return this.write(null, 0);
  }

  /**
   * A try ended with a failure.
   *
   * @param isInVain whether the next try has to copy anew what this one has kept
   * @returns how many did in a row that kept nothing new
   */
  recordFailure(isInVain: boolean): number {
    // What fails when everything is copied would fail for ever: copying it anew is no progress.
    const isNoProgress = isInVain || this.isIdle() || this.meter.phase === 'publishing';
    this.tries = isNoProgress ? this.tries + 1 : 1;
    return this.tries;
  }

  /** Looks now whether the import is cancelled, or has ended otherwise. @throws the reason of the signal */
  async throwIfCancelled(): Promise<void> {
    if (await this.log.isStopRequested(this.request)) this.stopping.abort(cancelled);
    this.signal.throwIfAborted();
  }

  /** Notes that the import waits, and why. */
  async wait(error: ImportError, afterMs: number): Promise<void> {
    this.idleStarts = 0;
    await this.stop();
    await this.write(error, afterMs);
  }

  /** Writes no more. A start that was cut short by a stop of the process does not count as a crash. */
  async stop(): Promise<void> {
    const wasRunning = this.timers.length > 0;
    for (const timer of this.timers.splice(0)) clearInterval(timer);
    await this.writing;
    if (wasRunning && this.outer.aborted) {
      this.idleStarts -= 1;
      await this.sendHeartbeat();
    }
  }

  progress(): ImportProgress {
    return this.meter.read();
  }

  /** Whether this start has kept nothing that earlier ones had not. Bytes that moved are not kept by that. */
  private isIdle(): boolean {
    return this.meter.recorded.files === 0 && this.meter.durableBytes <= this.keptBefore;
  }

  private async write(error: ImportError | null, afterMs: number): Promise<void> {
    if (!this.isIdle()) this.idleStarts = 0;
    const now = Date.now();
    const status: ImportStatus = {
      state: error ? 'waiting' : 'running',
      started_at: this.startedAt,
      updated_at: new Date(now).toISOString(),
      progress: this.progress(),
      error,
      next_try_at: error ? new Date(now + afterMs).toISOString() : null,
      starts: this.starts,
      idle_starts: this.idleStarts,
      tries: this.tries,
      kept_bytes: Math.max(this.keptBefore, this.meter.durableBytes),
    };
    await this.log.saveStatus(this.request, status).catch(() => undefined);
  }

  private async lookForCancel(): Promise<void> {
    if (isIrrevocable(this.meter.phase)) return;
    const wanted = await this.log.isStopRequested(this.request).catch(() => false);
    if (wanted) this.stopping.abort(cancelled);
  }
}
