import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { buildWhatIsNotBuilt } from '../../../../scripts/launcher/build.ts';
import { freePort } from '../../../../scripts/free-port.ts';
import { until } from './system.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Builds what the processes run, once the sources have changed. */
export function buildProcesses(): Promise<void> {
  return buildWhatIsNotBuilt({ root, say: () => undefined, signal: AbortSignal.timeout(120_000) });
}

/** A worker as an operator runs it: a process of its own, which can be killed. */
export class WorkerProcess {
  private constructor(private readonly child: ChildProcess) {}

  /** Resolves when it takes jobs. */
  static async start(environment: Record<string, string>): Promise<WorkerProcess> {
    const port = String(await freePort());
    const child = spawn(process.execPath, [`${root}apps/provisioner/dist/worker.js`], {
      env: { ...process.env, ...environment, PORT: port },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await until(async () => {
      const response = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
      return response?.ok === true;
    });
    return new WorkerProcess(child);
  }

  /** Ends it with a signal. @returns its exit code, null when the signal ended it */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill(signal);
      await once(this.child, 'exit');
    }
    return this.child.exitCode;
  }
}
