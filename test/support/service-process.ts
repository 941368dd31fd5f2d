import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../scripts/free-port.ts';
import { buildWhatIsNotBuilt } from '../../scripts/launcher/build.ts';
import { keepLog, testSettings, withLog } from './test-logs.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Builds what the processes run, once the sources have changed. */
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

/** What there is to start, relative to `apps`. */
export type Entry = 'catalog-api/dist/main.js' | 'provisioner/dist/main.js' | 'provisioner/dist/worker.js';

/** A service as an operator runs it: a process of its own, on loopback, whose output is kept. */
export class ServiceProcess {
  /** All it has written so far, to either output. */
  output = '';
  readonly port: number;
  private readonly child: ChildProcess;

  private constructor(entry: Entry, port: number, environment: Readonly<Record<string, string>>) {
    this.port = port;
    const { PATH, HOME } = process.env;
    this.child = spawn(process.execPath, [`${root}apps/${entry}`], {
      env: { PATH, HOME, HOST: '127.0.0.1', PORT: String(port), ...testSettings(environment) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (bytes: Buffer) => {
        this.output += bytes.toString();
        keepLog(nameOf(entry), bytes);
      });
    }
  }

  /** Starts one on a free port, or on that of a former one; it may not answer yet. */
  static async launch(
    entry: Entry,
    environment: Readonly<Record<string, string>>,
    port?: number,
  ): Promise<ServiceProcess> {
    return new ServiceProcess(entry, port ?? (await freePort()), environment);
  }

  /** Starts one; resolves when it is ready. */
  static async start(
    entry: Entry,
    environment: Readonly<Record<string, string>>,
    port?: number,
  ): Promise<ServiceProcess> {
    const service = await ServiceProcess.launch(entry, environment, port);
    await service.untilReady();
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${String(this.port)}`;
  }

  /** Whether `/health/ready` says so; false while nothing answers. */
  async isReady(): Promise<boolean> {
    const response = await fetch(`${this.url}/health/ready`).catch(() => undefined);
    await response?.arrayBuffer();
    return response?.ok === true;
  }

  /** @throws Error with its output when it ends instead */
  async untilReady(): Promise<void> {
    while (!(await this.isReady())) {
      if (this.hasEnded) throw new Error(`It ended before it was ready:\n${this.output}`);
      await pause(50);
    }
  }

  /** Resolves when it has ended by itself. @returns its exit code, null when a signal ended it */
  async ended(): Promise<number | null> {
    if (!this.hasEnded) await once(this.child, 'close');
    return this.child.exitCode;
  }

  /** Ends it with a signal. @returns its exit code, null when the signal ended it */
  async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    if (!this.hasEnded) this.child.kill(signal);
    return this.ended();
  }

  private get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }
}

/** `catalog-api-main`, `provisioner-worker`, ... */
function nameOf(entry: Entry): string {
  return entry.replace('/dist/', '-').replace('.js', '');
}
