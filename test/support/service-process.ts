import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { until } from './until.ts';
import { freePort } from '../../scripts/free-port.ts';
import { buildWhatIsNotBuilt } from '../../scripts/launcher/build.ts';
import { keepLog, testSettings, withLog } from './test-logs.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Builds the programs whose sources have changed. */
export function buildServices(): Promise<void> {
  return buildWhatIsNotBuilt({ root, say: () => undefined, signal: AbortSignal.timeout(120_000) });
}

/** Brings the database of a catalog to its schema, as an operator does. */
export function migrate(settings: Readonly<Record<string, string>>): void {
  const words = [`${root}apps/catalog-api/dist/cli.js`, 'migrate'];
  const env = { ...process.env, ...testSettings(settings) };
  withLog('catalog-migrate', (log) => {
    execFileSync(process.execPath, words, { env, stdio: ['ignore', log ?? 'ignore', log ?? 'inherit'] });
  });
}

/** The programs that can be started, relative to `apps`. */
export type Entry = 'catalog-api/dist/main.js' | 'provisioner/dist/main.js' | 'provisioner/dist/worker.js';

/** The words before the program in the command line, such as a tracer or a change of the account. */
export type Wrapper = readonly string[];

/** A service in its own process on loopback, as an operator runs it. Its output is kept. */
export class ServiceProcess {
  /** The output of the process so far, errors included. */
  output = '';
  readonly port: number;
  private readonly child: ChildProcess;

  private constructor(
    entry: Entry,
    port: number,
    environment: Readonly<Record<string, string>>,
    { output = 'pipe', wrapper = [] }: { readonly output?: number | 'pipe'; readonly wrapper?: Wrapper } = {},
  ) {
    this.port = port;
    const { PATH, HOME } = process.env;
    const [command, ...words] = [...wrapper, process.execPath, `${root}apps/${entry}`];
    this.child = spawn(command, words, {
      env: { PATH, HOME, HOST: '127.0.0.1', ...testSettings(environment), PORT: String(port) },
      stdio: ['ignore', output, output],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (bytes: Buffer) => {
        this.output += bytes.toString();
        keepLog(nameOf(entry), bytes);
      });
    }
  }

  /** Starts a service on a free port, or on a previous service's port. The service may not be ready yet. */
  static async launch(
    entry: Entry,
    environment: Readonly<Record<string, string>>,
    port?: number,
  ): Promise<ServiceProcess> {
    return new ServiceProcess(entry, port ?? (await freePort()), environment);
  }

  /** Starts a service and resolves when it is ready. */
  static async start(
    entry: Entry,
    environment: Readonly<Record<string, string>>,
    port?: number,
  ): Promise<ServiceProcess> {
    const service = await ServiceProcess.launch(entry, environment, port);
    await service.untilReady();
    return service;
  }

  /** Starts a worker of the provisioner and resolves when it accepts jobs. */
  static async startWorker(
    environment: Readonly<Record<string, string>>,
    wrapper: Wrapper = [],
  ): Promise<ServiceProcess> {
    const worker = new ServiceProcess('provisioner/dist/worker.js', await freePort(), environment, { wrapper });
    await worker.untilReady();
    return worker;
  }

  /** Starts a service with its output appended to a file, and resolves when the service is ready. */
  static async startWithLog(
    entry: Entry,
    environment: Readonly<Record<string, string>>,
    logFile: string,
  ): Promise<ServiceProcess> {
    const log = openSync(logFile, 'a');
    try {
      const service = new ServiceProcess(entry, await freePort(), environment, { output: log });
      await service.untilReady();
      return service;
    } finally {
      closeSync(log);
    }
  }

  /** Stops reading the output, so that the process blocks or waits when the pipe is full. */
  stopReading(): void {
    this.child.stdout?.pause();
  }

  /** Closes the pipe of the output, like a reader that has ended. */
  closeOutput(): void {
    this.child.stdout?.destroy();
  }

  get url(): string {
    return `http://127.0.0.1:${String(this.port)}`;
  }

  /** Whether `/health/ready` reports that the service is ready. */
  async isReady(): Promise<boolean> {
    const response = await fetch(`${this.url}/health/ready`).catch(() => undefined);
    await response?.arrayBuffer();
    return response?.ok === true;
  }

  /** Waits until the service is ready. @throws Error with its output if it ends first */
  async untilReady(): Promise<void> {
    await until(async () => {
      if (this.hasEnded) throw new Error(`The service ended before it was ready:\n${this.output}`);
      return this.isReady();
    }, 180_000).catch(async (error: unknown) => {
      await this.end('SIGKILL');
      throw error;
    });
  }

  /** Waits until the process ends. @returns its exit code, or null if a signal ended it */
  async ended(): Promise<number | null> {
    if (!this.hasEnded) await once(this.child, 'close');
    return this.child.exitCode;
  }

  /** Waits until the process ends. @returns the signal that ended the process; null if it exited */
  async signalOfEnd(): Promise<NodeJS.Signals | null> {
    await this.ended();
    return this.child.signalCode;
  }

  /** Sends a signal without waiting for the end of the process. */
  send(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Returns the bytes that the process has read from files and pipes since its start, cached or not. */
  async bytesRead(): Promise<number> {
    const counters = await readFile(`/proc/${String(this.pid)}/io`, 'utf8');
    return Number(/^rchar: (\d+)$/m.exec(counters)?.[1]);
  }

  /** Stops the process with a signal. @returns its exit code, or null if the signal ended it */
  async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    if (!this.hasEnded) this.child.kill(signal);
    return this.ended();
  }

  /** Whether the process has ended. */
  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }
}

/** Returns the name of a program's log: `catalog-api-main`, `provisioner-worker`, ... */
function nameOf(entry: Entry): string {
  return entry.replace('/dist/', '-').replace('.js', '');
}
