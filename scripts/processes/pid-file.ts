import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { identityOf } from './process-identity.ts';

const pollMs = 50;

/**
 * A pair of files about a running process. `<name>.pid` holds the id of the process. `<name>.started` holds its identity,
 * which differs from the identity of a later process with the same id.
 */
export class PidFile {
  private readonly pidFile: string;
  private readonly startedFile: string;

  constructor(folder: string, name: string) {
    this.pidFile = join(folder, `${name}.pid`);
    this.startedFile = join(folder, `${name}.started`);
  }

  write(pid: number): void {
    writeFileSync(this.startedFile, identityOf(pid) ?? '');
    writeFileSync(this.pidFile, `${String(pid)}\n`);
  }

  clear(): void {
    rmSync(this.pidFile, { force: true });
    rmSync(this.startedFile, { force: true });
  }

  /** Returns the id of the recorded process. @returns undefined if that process no longer runs */
  runningPid(): number | undefined {
    try {
      const pid = Number(readFileSync(this.pidFile, 'utf8'));
      const started = readFileSync(this.startedFile, 'utf8');
      return Number.isInteger(pid) && pid > 1 && started !== '' && identityOf(pid) === started ? pid : undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * Stops the recorded process if it still runs. Returns whether it ran.
   *
   * @param patienceMs time after which the process is killed
   */
  async stopLeftover(signal: NodeJS.Signals, patienceMs: number): Promise<boolean> {
    const pid = this.runningPid();
    if (pid !== undefined) {
      process.kill(pid, signal);
      if (!(await this.ends(patienceMs))) process.kill(pid, 'SIGKILL');
      await this.ends(patienceMs);
    }
    this.clear();
    return pid !== undefined;
  }

  private async ends(patienceMs: number): Promise<boolean> {
    const deadline = Date.now() + patienceMs;
    while (this.runningPid() !== undefined) {
      if (Date.now() > deadline) return false;
      await pause(pollMs);
    }
    return true;
  }
}
