import { write, writeSync } from 'node:fs';
import { register } from 'on-exit-leak-free';

/** System calls of a {@link LogDestination}. */
export interface LogWriter {
  /** Writes the bytes, or the first of them; calls `done` with an error or the number of bytes. */
  write(bytes: Buffer, done: (error: Error | null, written: number) => void): void;
  /** Same as `write`, but the call returns once it is done. @throws Error if no byte can be written */
  writeNow(bytes: Buffer): number;
}

/** Lines that a log has lost. */
export interface LostLines {
  readonly count: number;
  /** Reason for which the log could not be written, in the words of the operating system. */
  readonly reason: string;
}

/** Bounds of a {@link LogDestination}. */
export interface LogBounds {
  /** Bytes of lines that wait; a further line is dropped. */
  readonly maxBytes: number;
  /** Pause after a write that failed, in milliseconds. */
  readonly retryMs: number;
  /** Time after which a write counts as blocked when the process ends, in milliseconds. */
  readonly blockedMs: number;
}

const defaultBounds: LogBounds = { maxBytes: 1024 * 1024, retryMs: 500, blockedMs: 1000 };

/**
 * Destination of a log that outlives every failure of its file or pipe: a full disk (`ENOSPC`, `EDQUOT`), a failing one
 * (`EIO`), a reader that has gone (`EPIPE`), a reader that is slow (`EAGAIN`).
 *
 * While the log cannot be written, at most `maxBytes` of lines wait and every further line is dropped and counted. A line
 * that was written in part is completed first. No call blocks and no call throws.
 */
export class LogDestination {
  private readonly waiting: string[] = [];
  private waitingBytes = 0;
  /** Bytes that are being written, or that are written again after a pause. */
  private current: Buffer = Buffer.alloc(0);
  /** Instant at which the present call began; undefined if no call is under way. */
  private writingSince: number | undefined;
  private pausing = false;
  /** Whether lost lines are being reported: the report is never dropped, although as many lines as possible may wait. */
  private reporting = false;
  private reason: string | undefined;
  private lost = 0;

  /**
   * @param onResumed called once the log can be written again, if lines were lost
   */
  constructor(
    private readonly writer: LogWriter,
    private readonly onResumed: (lost: LostLines) => void,
    private readonly bounds: LogBounds = defaultBounds,
  ) {
    register(this, (destination: LogDestination) => {
      destination.flushAtExit();
    });
  }

  /** Takes a line; pino calls this method. */
  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.waitingBytes + bytes > this.bounds.maxBytes && !this.reporting) {
      this.lost += 1;
      return;
    }
    this.waiting.push(line);
    this.waitingBytes += bytes;
    this.writeNext();
  }

  private writeNext(): void {
    if (this.writingSince !== undefined || this.pausing) return;
    if (this.current.length === 0) this.current = this.takeWaiting();
    if (this.current.length === 0) return;
    this.writingSince = performance.now();
    this.writer.write(this.current, (error, written) => {
      this.writingSince = undefined;
      if (error) this.pause(error);
      else this.advance(written);
    });
  }

  private takeWaiting(): Buffer {
    const bytes = Buffer.from(this.waiting.join(''));
    this.waiting.length = 0;
    this.waitingBytes = 0;
    return bytes;
  }

  private advance(written: number): void {
    this.current = this.current.subarray(written);
    if (this.current.length === 0) this.resume();
    this.writeNext();
  }

  private resume(): void {
    const { lost: count, reason = 'more lines came than could be written' } = this;
    this.lost = 0;
    this.reason = undefined;
    if (count === 0) return;
    this.reporting = true;
    this.onResumed({ count, reason });
    this.reporting = false;
  }

  private pause(error: Error): void {
    this.reason = error.message;
    this.pausing = true;
    setTimeout(() => {
      this.pausing = false;
      this.writeNext();
    }, this.bounds.retryMs).unref();
  }

  /** Writes the rest, unless a write is blocked or the first one fails: the end of a process must not wait for its log. */
  private flushAtExit(): void {
    const { writingSince } = this;
    if (writingSince !== undefined && performance.now() - writingSince > this.bounds.blockedMs) return;
    // A call that is under way completes on its own thread.
    const started = writingSince === undefined ? this.current : Buffer.alloc(0);
    let rest = Buffer.concat([started, this.takeWaiting()]);
    try {
      while (rest.length > 0) rest = rest.subarray(this.writer.writeNow(rest));
    } catch {
      // The log cannot be written, and no other place remains to report this.
    }
  }
}

/** Returns the system calls that write to a file descriptor. */
export function writerTo(fd: number): LogWriter {
  return {
    write: (bytes, done) => {
      write(fd, bytes, done);
    },
    writeNow: (bytes) => writeSync(fd, bytes),
  };
}
