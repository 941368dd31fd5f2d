import {
  isIrrevocable,
  type ImportError,
  type ImportProgress,
  type ImportRequest,
  type ImportStatus,
} from '../model/import-record.js';
import type { ImportPlan } from '../model/import-plan.js';
import type { RequestLog } from '../model/request-log.js';
import type { ProgressMeter } from './progress-meter.js';

/** The interval at which the reporter checks whether to write the status. */
const heartbeatMs = 1_000;

/** The longest time between two writes of the status. */
const longestMs = 10_000;

/** The time after a client has read the status in which the status is written with each heartbeat. */
const watchedMs = 15_000;

/** The interval at which a running import checks whether it is cancelled. */
const cancelCheckMs = 300;

const cancelled = Symbol('cancelled');

/** Returns whether a run was stopped because the import was cancelled or has ended. */
export function isCancelled(signal: AbortSignal): boolean {
  return signal.reason === cancelled;
}

/**
 * The reporter of a running import: writes its status to the log, and detects a cancellation by any process. It writes the
 * status every second while clients read it, and otherwise at each change of the phase and every 10 seconds. A status that
 * cannot be written is lost without an error.
 */
export class ImportStatusReporter {
  readonly startedAt: string;
  /** Aborted when the import is cancelled or the process must release the import. */
  readonly signal: AbortSignal;
  private readonly stopping = new AbortController();
  private readonly starts: number;
  private idleStarts: number;
  private failures: number;
  private unseenSince: string | undefined;
  /** The most bytes that were durable after any earlier start. */
  private readonly durableBefore: number;
  /** The plan of the previous start. */
  private readonly planBefore: ImportPlan | null;
  private timers: NodeJS.Timeout[] = [];
  /** The last write of the status; its time is by `performance.now`. */
  private written: { readonly at: number; readonly phase: string } | undefined;
  /** The latest watch of a client, and when this reporter first saw it. */
  private watch: { readonly text: string; readonly at: number } | undefined;
  /** The running heartbeat. If the log is slow, heartbeats are skipped. */
  private heartbeat: Promise<void> | null = null;
  private cancelCheck: Promise<void> | null = null;

  /**
   * @param previous the status at the end of the previous start, or null at the first start
   * @param processSignal is aborted when the process must release the import
   */
  constructor(
    private readonly log: RequestLog,
    private readonly request: ImportRequest,
    private readonly meter: ProgressMeter,
    previous: ImportStatus | null,
    private readonly processSignal: AbortSignal,
  ) {
    this.startedAt = previous?.started_at ?? new Date().toISOString();
    this.starts = (previous?.starts ?? 0) + 1;
    this.idleStarts = (previous?.idle_starts ?? 0) + 1;
    this.failures = previous?.tries ?? 0;
    this.unseenSince = previous?.unseen_since;
    this.durableBefore = previous?.kept_bytes ?? 0;
    this.planBefore = previous?.plan ?? null;
    this.signal = AbortSignal.any([processSignal, this.stopping.signal]);
    this.signal.addEventListener('abort', () => {
      meter.abort();
    });
  }

  /** Records the start, so that a crash counts as a start, and begins to report. */
  async start(): Promise<{ readonly idleStarts: number }> {
    await this.sendHeartbeat();
    this.timers = [
      setInterval(() => {
        this.heartbeat ??= this.sendDueHeartbeat().finally(() => (this.heartbeat = null));
      }, heartbeatMs),
      setInterval(() => {
        this.cancelCheck ??= this.checkCancelled().finally(() => (this.cancelCheck = null));
      }, cancelCheckMs),
    ];
    return { idleStarts: this.idleStarts };
  }

  sendHeartbeat(): Promise<void> {
    return this.saveStatus(null, 0);
  }

  /**
   * Counts a failure.
   *
   * @param isProgressLost whether the next try must copy again what this try copied
   * @returns the number of consecutive failures without progress
   */
  recordFailure(isProgressLost: boolean): number {
    // A failure of the publication would repeat forever, so a copy that precedes it is no progress.
    const isNoProgress = isProgressLost || this.isIdle() || this.meter.phase === 'publishing';
    this.failures = isNoProgress ? this.failures + 1 : 1;
    return this.failures;
  }

  /** Checks whether the import is cancelled or has ended. @throws the reason of the signal if it is aborted */
  async throwIfCancelled(): Promise<void> {
    if (await this.log.isStopRequested(this.request)) this.stopping.abort(cancelled);
    this.signal.throwIfAborted();
  }

  /** Records that this start does not see the delivery. @returns the milliseconds since the first such start in a row */
  recordUnseen(): number {
    this.unseenSince ??= new Date().toISOString();
    return Date.now() - Date.parse(this.unseenSince);
  }

  /** Stops, and records that the import waits because of an error. */
  async wait(error: ImportError, afterMs: number): Promise<void> {
    this.idleStarts = 0;
    await this.stop();
    await this.saveStatus(error, afterMs);
  }

  /** Stops reporting. A start that ends with a stop of the process does not count as an idle start. */
  async stop(): Promise<void> {
    const wasRunning = this.timers.length > 0;
    for (const timer of this.timers.splice(0)) clearInterval(timer);
    await this.heartbeat;
    if (wasRunning && this.processSignal.aborted) {
      this.idleStarts -= 1;
      await this.sendHeartbeat();
    }
  }

  /** The plan in short; null before the planning. */
  get plan(): ImportPlan | null {
    return this.meter.plan ?? this.planBefore;
  }

  progress(): ImportProgress {
    return this.meter.read();
  }

  /** Whether this start has made nothing durable that earlier starts had not. Bytes in transit do not count. */
  private isIdle(): boolean {
    return this.meter.recorded.files === 0 && this.meter.durableBytes <= this.durableBefore;
  }

  private async sendDueHeartbeat(): Promise<void> {
    const isDue =
      !this.written ||
      this.written.phase !== this.meter.phase ||
      performance.now() - this.written.at >= longestMs ||
      // Without this write, a worker that is killed soon after its first progress would count as an idle start.
      (this.idleStarts > 0 && !this.isIdle());
    if (isDue || (await this.isWatched())) await this.sendHeartbeat();
  }

  /** Whether a client has read the status recently. Watches are compared, not their times, so clocks need not agree. */
  private async isWatched(): Promise<boolean> {
    const text = await this.log.findWatch(this.request).catch(() => null);
    if (text !== null && text !== this.watch?.text) this.watch = { text, at: performance.now() };
    return this.watch !== undefined && performance.now() - this.watch.at < watchedMs;
  }

  private async saveStatus(error: ImportError | null, afterMs: number): Promise<void> {
    if (!this.isIdle()) this.idleStarts = 0;
    if (!error && this.meter.phase !== 'planning') this.unseenSince = undefined;
    const now = Date.now();
    this.written = { at: performance.now(), phase: this.meter.phase };
    const status: ImportStatus = {
      state: error ? 'waiting' : 'running',
      started_at: this.startedAt,
      updated_at: new Date(now).toISOString(),
      progress: this.progress(),
      error,
      next_try_at: error ? new Date(now + afterMs).toISOString() : null,
      starts: this.starts,
      idle_starts: this.idleStarts,
      tries: this.failures,
      ...(this.unseenSince !== undefined && { unseen_since: this.unseenSince }),
      plan: this.plan,
      kept_bytes: Math.max(this.durableBefore, this.meter.durableBytes),
    };
    await this.log.saveStatus(this.request, status).catch(() => undefined);
  }

  private async checkCancelled(): Promise<void> {
    if (isIrrevocable(this.meter.phase)) return;
    const isRequested = await this.log.isStopRequested(this.request).catch(() => false);
    if (isRequested) this.stopping.abort(cancelled);
  }
}
