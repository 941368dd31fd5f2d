import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { CannotStartError } from '../launcher/cannot-start.error.ts';
import { LogFile } from './log-file.ts';
import { PidFile } from './pid-file.ts';

/** One process of the system, and how it is run. */
export interface ProcessDescription {
  /** Names its files in `run/` and `log/`. */
  readonly name: string;
  /** Starts it, in a process group of its own, with its output going to the file. */
  readonly spawn: (logFile: string) => ChildProcess;
  /** Whether it answers; asked again and again while it starts. */
  readonly isReady: () => Promise<boolean>;
  /** The signal on which it ends in an orderly way. */
  readonly stopSignal: NodeJS.Signals;
}

/** Where a process's traces are kept, and who is told what happens to it. */
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
/** One that ran this long was well: after its end the pauses begin anew. */
const steadyMs = 60_000;

/** Keeps one process running: starts it, starts it again when it ends, and stops it. */
export class SupervisedProcess {
  private readonly pidFile: PidFile;
  private readonly log: LogFile;
  private readonly stopping = new AbortController();
  private child: ChildProcess | undefined;
  private supervision: Promise<void> | undefined;
  private readonly description: ProcessDescription;
  private readonly surroundings: Surroundings;

  constructor(description: ProcessDescription, surroundings: Surroundings) {
    this.description = description;
    this.surroundings = surroundings;
    this.pidFile = new PidFile(surroundings.runFolder, description.name);
    this.log = new LogFile(surroundings.logFile);
  }

  /**
   * Starts it and resolves when it is ready; from then on it is started again whenever it ends.
   *
   * @throws CannotStartError with the last lines it wrote, when it ends or is not ready within two minutes
   */
  async start(): Promise<void> {
    const { name, isReady } = this.description;
    this.stopping.signal.throwIfAborted();
    this.log.mark();
    const child = this.spawn();
    const deadline = Date.now() + readyTimeoutMs;
    while (!(await isReady())) {
      if (hasEnded(child)) throw new CannotStartError(`${name} ended while it started:\n${this.log.tail()}`);
      if (Date.now() > deadline) throw new CannotStartError(`${name} did not become ready:\n${this.log.tail()}`);
      await pause(readyPollMs, undefined, { signal: this.stopping.signal });
    }
    this.supervision = this.supervise(child);
  }

  /** Stops it, kindly first, and leaves nothing running. May be called at any moment, and twice. */
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
    if (child.pid !== undefined) this.pidFile.write(child.pid);
    this.child = child;
    return child;
  }

  private async supervise(first: ChildProcess): Promise<void> {
    const { signal } = this.stopping;
    let child = first;
    let pauseMs = firstPauseMs;
    try {
      for (;;) {
        const since = Date.now();
        if (!hasEnded(child)) await once(child, 'exit', { signal });
        if (Date.now() - since > steadyMs) pauseMs = firstPauseMs;
        this.surroundings.say(`${this.description.name} ended (${endOf(child)}); it is started again.`);
        await pause(pauseMs, undefined, { signal });
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
        child = this.spawn();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

function endOf({ exitCode, signalCode }: ChildProcess): string {
  return signalCode ?? `exit code ${String(exitCode)}`;
}
