import { write, writeSync } from 'node:fs';
import { register } from 'on-exit-leak-free';

/** The system calls of a {@link LogDestination}. */
export interface LogWriter {
  /** Writes all bytes or the first of them, and calls `done` with an error or the number of written bytes. */
  write(bytes: Buffer, done: (error: Error | null, written: number) => void): void;
  /** Writes synchronously and returns the number of written bytes. @throws Error if no byte can be written */
  writeNow(bytes: Buffer): number;
}

export interface LostLines {
  readonly count: number;
  /** The operating system's message for the failure. */
  readonly reason: string;
}

/** The limits of a {@link LogDestination}. */
export interface LogBounds {
  /** Maximum number of bytes in waiting lines; further lines are dropped. */
  readonly maxBytes: number;
  /** Pause after a failed write, in milliseconds. */
  readonly retryMs: number;
  /** Time after which an unfinished write counts as blocked when the process exits, in milliseconds. */
  readonly blockedMs: number;
}

const defaultBounds: LogBounds = { maxBytes: 1024 * 1024, retryMs: 500, blockedMs: 1000 };

/**
 * A log destination that survives failures of its file or pipe: a full disk (`ENOSPC`, `EDQUOT`), a failing disk
 * (`EIO`), a closed pipe (`EPIPE`) and a full pipe (`EAGAIN`).
 *
 * While the log cannot be written, up to `maxBytes` of lines wait. Further lines are dropped and counted. A partly
 * written line is completed first. No call blocks or throws.
 */
export class LogDestination {
  private readonly waiting: string[] = [];
  private waitingBytes = 0;
  /** Bytes of the write in progress, or of the next attempt. */
  private current: Buffer = Buffer.alloc(0);
  /** Start of the write in progress; undefined if there is none. */
  private writingSince: number | undefined;
  private pausing = false;
  /** Whether lost lines are being reported. The report is accepted even if the limit of waiting lines is reached. */
  private reporting = false;
  private reason: string | undefined;
  private lost = 0;

  /**
   * @param onResumed called if lines were lost and the log can be written again
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

  /** Accepts a line from pino. */
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
    const { lost: count, reason = 'too many lines were waiting' } = this;
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

  /** Writes the waiting lines. If a write is blocked or fails, the rest is dropped, so that the process can exit. */
  private flushAtExit(): void {
    const { writingSince } = this;
    if (writingSince !== undefined && performance.now() - writingSince > this.bounds.blockedMs) return;
    // A write in progress completes on its own thread.
    const started = writingSince === undefined ? this.current : Buffer.alloc(0);
    let rest = Buffer.concat([started, this.takeWaiting()]);
    try {
      while (rest.length > 0) rest = rest.subarray(this.writer.writeNow(rest));
    } catch {
      // The failure cannot be reported, because the log cannot be written.
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
