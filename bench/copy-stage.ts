import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What the engine says of one import. */
export interface ImportTimes {
  readonly files: number;
  readonly bytes: number;
  /** From the first file to the last, hashed and noted; the look at the source before, and the flush after, left out. */
  readonly copySeconds: number;
  /** From the look at the source to the publication, flushed. */
  readonly wholeSeconds: number;
}

/** A process that imports one dataset after the other, so that what is measured is a worker that has run for a while. */
export class Engine {
  private readonly child: ChildProcess;
  private readonly lines: AsyncIterator<string>;

  /** @param environment the provisioner's settings; `SOURCE_URL` and `STORAGE_URL` at least */
  constructor(environment: Readonly<Record<string, string>>) {
    this.child = spawn(process.execPath, [new URL('copy-engine.ts', import.meta.url).pathname], {
      env: { ...process.env, QUEUE_URL: 'postgres://unused', GLOBAL_API_KEY: 'not used by the engine', ...environment },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines: Interface = createInterface({ input: this.child.stdout ?? process.stdin });
    this.lines = lines[Symbol.asyncIterator]();
  }

  async import(id: string): Promise<ImportTimes> {
    return (await this.ask(`import ${id}`)) as ImportTimes;
  }

  /** Reads a dataset again. @returns how long it took, in seconds */
  async verify(id: string): Promise<number> {
    return (await this.ask(`verify ${id}`)) as number;
  }

  /** The most memory that was in RAM since it started, in MB. */
  async peakMb(): Promise<number> {
    return peakMbOf(this.child.pid ?? 0);
  }

  private async ask(what: string): Promise<unknown> {
    this.child.stdin?.write(`${what}\n`);
    const line = await this.lines.next();
    if (line.done) throw new Error('The engine ended. Is everything built (npm run build)?');
    return JSON.parse(line.value);
  }

  async close(): Promise<void> {
    const exit = once(this.child, 'exit');
    this.child.stdin?.end();
    if (this.child.exitCode === null) await exit;
  }
}

/** The most memory that a process had in RAM since it started, in MB. */
export async function peakMbOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** Lays `count` files of `size` random bytes each as the dataset `id` of a source. */
export async function layDataset(
  source: string,
  id: string,
  count: number,
  size: number,
  filesPerFolder = 1000,
): Promise<void> {
  const script = `
    import { mkdirSync, openSync, writeSync, closeSync } from 'node:fs';
    import { randomFillSync } from 'node:crypto';
    const [folder, count, size, perFolder] = [process.argv[1], ...process.argv.slice(2).map(Number)];
    const bytes = randomFillSync(Buffer.alloc(Math.min(size, 16 * 1024 * 1024)));
    for (let file = 0; file < count; file += 1) {
      const home = folder + '/' + String(Math.floor(file / perFolder)).padStart(4, '0');
      if (file % perFolder === 0) mkdirSync(home, { recursive: true });
      const descriptor = openSync(home + '/file-' + file + '.dat', 'w');
      bytes.writeUInt32LE(file, 0);
      for (let left = size; left > 0; left -= bytes.length) writeSync(descriptor, bytes, 0, Math.min(left, bytes.length));
      closeSync(descriptor);
    }`;
  const folder = join(source, 'SUB-1', id);
  await mkdir(folder, { recursive: true });
  const numbers = [count, size, filesPerFolder].map(String);
  await run(process.execPath, ['--input-type=module', '-e', script, folder, ...numbers]);
}

/** Adds the list of checksums that a delivery has. */
export async function declareChecksums(source: string, id: string): Promise<void> {
  const script = 'find . -type f -print0 | xargs -0 sha256sum > ../sums && mv ../sums SHA256SUMS';
  await run('sh', ['-c', script], { cwd: join(source, 'SUB-1', id) });
}

/** A folder as `SOURCE_URL` or `STORAGE_URL`. */
export function urlOf(folder: string): string {
  return pathToFileURL(folder).href;
}
