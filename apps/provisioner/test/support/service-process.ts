import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildWhatIsNotBuilt } from '../../../../scripts/launcher/build.ts';
import { freePort } from '../../../../scripts/free-port.ts';
import { testSettings, withLog } from '../../../../test/support/test-logs.ts';
import { until } from '../../../../test/support/until.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Builds the programs of the processes if their sources have changed. */
export function buildProcesses(): Promise<void> {
  return buildWhatIsNotBuilt({ root, say: () => undefined, signal: AbortSignal.timeout(120_000) });
}

/** The words before the program in the command line, such as a tracer or a change of the account. */
export type Wrapper = readonly string[];

/** A worker or a server in a separate process, as in production. A test can kill the process. */
export class ServiceProcess {
  private constructor(
    private readonly child: ChildProcess,
    /** `http://127.0.0.1:<port>` */
    readonly url: string,
  ) {}

  /** Starts a worker. Resolves when the worker accepts jobs. */
  static startWorker(environment: Record<string, string>, wrapper: Wrapper = []): Promise<ServiceProcess> {
    return ServiceProcess.start('worker', environment, wrapper);
  }

  /** Starts a server. Resolves when the server answers requests. */
  static startServer(environment: Record<string, string>): Promise<ServiceProcess> {
    return ServiceProcess.start('main', environment, []);
  }

  /** Ends the process with a signal. @returns the exit code; null if the signal ended the process */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    if (this.isAlive) {
      this.child.kill(signal);
      await this.exited();
    }
    return this.child.exitCode;
  }

  /** Sends a signal without waiting for the end of the process. */
  send(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Waits for the end of the process. @returns the signal that ended the process; null if it exited */
  async exited(): Promise<NodeJS.Signals | null> {
    if (this.isAlive) await once(this.child, 'exit');
    return this.child.signalCode;
  }

  /** Returns the bytes that the process has read from files and pipes since its start, cached or not. */
  async bytesRead(): Promise<number> {
    const counters = await readFile(`/proc/${String(this.pid)}/io`, 'utf8');
    return Number(/^rchar: (\d+)$/m.exec(counters)?.[1]);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  private get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  private static async start(
    entry: 'worker' | 'main',
    environment: Record<string, string>,
    wrapper: Wrapper,
  ): Promise<ServiceProcess> {
    const port = String(await freePort());
    const [command, ...args] = [...wrapper, process.execPath, `${root}apps/provisioner/dist/${entry}.js`];
    const env = { ...process.env, ...testSettings(environment), PORT: port };
    const child = withLog(`provisioner-${entry}`, (log) =>
      spawn(command, args, { env, stdio: ['ignore', log ?? 'ignore', log ?? 'pipe'] }),
    );
    // An inherited stream would keep Jest running as long as the process.
    child.stderr?.pipe(process.stderr);
    const started = new ServiceProcess(child, `http://127.0.0.1:${port}`);
    await until(async () => {
      if (!started.isAlive) throw new Error(`${entry} ended with ${String(child.exitCode ?? child.signalCode)}`);
      const response = await fetch(`${started.url}/health/ready`).catch(() => undefined);
      return response?.ok === true;
    }).catch(async (error: unknown) => {
      await started.end('SIGKILL');
      throw error;
    });
    return started;
  }
}
