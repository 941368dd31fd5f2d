import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { CannotStartError } from '../launcher/cannot-start.error.ts';
import { LogFile } from './log-file.ts';
import { PidFile } from './pid-file.ts';

/** A process of the system and the way it is run. */
export interface ProcessDescription {
  /** The name of the process, and of its files in `run/` and `log/`. */
  readonly name: string;
  /** Starts the process in its own process group, with its output appended to the file. */
  readonly spawn: (logFile: string) => ChildProcess;
  /** Whether the process is ready. Called repeatedly until it is. */
  readonly isReady: () => Promise<boolean>;
  /** The signal that requests an orderly end. */
  readonly stopSignal: NodeJS.Signals;
}

/** The files of a process and the output for reports about it. */
export interface Surroundings {
  readonly runFolder: string;
  readonly logFile: string;
  readonly say: (line: string) => void;
}

const readyTimeoutMs = 120_000;
const readyPollMs = 100;
const stopPatienceMs = 30_000;
const firstPauseMs = 200;
const longestPauseMs = 30_000;
/** Pause between two attempts to write a file of `run/`. */
const pidRetryMs = 5_000;
/** Minimum time between two reports about the ends of one process. */
const reminderMs = 60_000;
/** If a process ran for this time, the pauses before a restart start again at the shortest. */
const steadyMs = 60_000;

/** A supervisor of one process, which restarts the process whenever it ends. */
export class SupervisedProcess {
  private readonly pidFile: PidFile;
  private readonly log: LogFile;
  private readonly stopping = new AbortController();
  private child: ChildProcess | undefined;
  private supervision: Promise<void> | undefined;
  private outageSince: number | undefined;
  private reportedAt = Number.NEGATIVE_INFINITY;
  private readonly description: ProcessDescription;
  private readonly surroundings: Surroundings;

  constructor(description: ProcessDescription, surroundings: Surroundings) {
    this.description = description;
    this.surroundings = surroundings;
    this.pidFile = new PidFile(surroundings.runFolder, description.name);
    this.log = new LogFile(surroundings.logFile);
  }

  /**
   * Starts the process and resolves when it is ready. From then on, the process is restarted whenever it ends.
   *
   * @throws CannotStartError with the last lines of output if the process ends or is not ready within two minutes
   */
  async start(): Promise<void> {
    const { name, isReady } = this.description;
    this.stopping.signal.throwIfAborted();
    this.log.mark();
    const child = this.spawn();
    const deadline = Date.now() + readyTimeoutMs;
    while (!(await isReady())) {
      if (hasEnded(child)) throw new CannotStartError(`${name} ended before it was ready:\n${this.log.tail()}`);
      if (Date.now() > deadline) {
        const seconds = String(readyTimeoutMs / 1000);
        throw new CannotStartError(`${name} was not ready within ${seconds} s:\n${this.log.tail()}`);
      }
      await pause(readyPollMs, undefined, { signal: this.stopping.signal });
    }
    this.supervision = this.supervise(child);
  }

  /** Stops the process, and kills it if it does not end within 30 s. May be called at any time, also repeatedly. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.supervision;
    const child = this.child;
    if (child && !hasEnded(child)) {
      const ended = once(child, 'exit');
      child.kill(this.description.stopSignal);
      const reminder = setTimeout(() => child.kill('SIGKILL'), stopPatienceMs);
      await ended;
      clearTimeout(reminder);
    }
    this.pidFile.clear();
  }

  private spawn(): ChildProcess {
    const child = this.description.spawn(this.surroundings.logFile);
    child.on('error', () => undefined);
    this.child = child;
    this.notePid(child);
    return child;
  }

  /** Writes the id of the process to its file. If that fails, it is retried until the process has ended. */
  private notePid(child: ChildProcess): void {
    if (child.pid === undefined || this.child !== child || hasEnded(child)) return;
    try {
      this.pidFile.write(child.pid);
    } catch {
      setTimeout(() => {
        this.notePid(child);
      }, pidRetryMs).unref();
    }
  }

  private async supervise(first: ChildProcess): Promise<void> {
    const { signal } = this.stopping;
    let child: ChildProcess | undefined = first;
    let pauseMs = firstPauseMs;
    try {
      for (;;) {
        const since = Date.now();
        if (child && !hasEnded(child)) await once(child, 'exit', { signal });
        if (Date.now() - since > steadyMs) pauseMs = firstPauseMs;
        this.report(child ? endOf(child) : 'it cannot be started');
        await pause(pauseMs, undefined, { signal });
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
        child = this.spawnIfPossible();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** @returns undefined if the process cannot be started now, e.g. because its log cannot be created on a full disk */
  private spawnIfPossible(): ChildProcess | undefined {
    try {
      const child = this.spawn();
      void this.reportReturn(child);
      return child;
    } catch {
      return undefined;
    }
  }

  /** Reports the first end of an outage, and later ends once a minute. */
  private report(end: string): void {
    const now = Date.now();
    this.outageSince ??= now;
    if (now - this.reportedAt < reminderMs) return;
    this.reportedAt = now;
    this.surroundings.say(`${this.description.name} ended (${end}) and is restarted.`);
  }

  /** Waits until the process is ready again and reports it. */
  private async reportReturn(child: ChildProcess): Promise<void> {
    const { signal } = this.stopping;
    while (!(await this.description.isReady())) {
      if (hasEnded(child) || signal.aborted) return;
      await pause(readyPollMs);
    }
    if (hasEnded(child) || signal.aborted || this.outageSince === undefined) return;
    const seconds = ((Date.now() - this.outageSince) / 1000).toFixed(0);
    this.outageSince = undefined;
    this.reportedAt = Number.NEGATIVE_INFINITY;
    this.surroundings.say(`${this.description.name} is ready again after ${seconds} s.`);
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

function endOf({ exitCode, signalCode }: ChildProcess): string {
  return signalCode ?? `exit code ${String(exitCode)}`;
}
