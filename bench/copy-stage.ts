import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { provisionerV8Options } from '../scripts/launcher/services.ts';

const run = promisify(execFile);

/** The durations of one import, as the engine reports them. */
export interface ImportTimes {
  readonly files: number;
  readonly bytes: number;
  /** Time to copy, hash and record all files, without the preceding scan of the source and the final flush. */
  readonly copySeconds: number;
  /** Time from the scan of the source to the flushed publication. */
  readonly wholeSeconds: number;
}

/** A process that imports one dataset after the other, like a worker that has run for some time. */
export class Engine {
  private readonly child: ChildProcess;
  private readonly lines: AsyncIterator<string>;

  /** @param environment the provisioner's settings, including `SOURCE_URL` and `STORAGE_URL` */
  constructor(environment: Readonly<Record<string, string>>) {
    const script = new URL('copy-engine.ts', import.meta.url).pathname;
    this.child = spawn(process.execPath, [...provisionerV8Options, script], {
      env: { ...process.env, QUEUE_URL: 'postgres://unused', GLOBAL_API_KEY: 'not used by the engine', ...environment },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines: Interface = createInterface({ input: this.child.stdout ?? process.stdin });
    this.lines = lines[Symbol.asyncIterator]();
  }

  async import(id: string): Promise<ImportTimes> {
    return (await this.ask(`import ${id}`)) as ImportTimes;
  }

  /** Verifies a dataset. @returns the duration in seconds */
  async verify(id: string): Promise<number> {
    return (await this.ask(`verify ${id}`)) as number;
  }

  /** Returns the peak resident memory of the process, in MB. */
  async peakMb(): Promise<number> {
    return peakMbOf(this.child.pid ?? 0);
  }

  private async ask(what: string): Promise<unknown> {
    this.child.stdin?.write(`${what}\n`);
    const line = await this.lines.next();
    if (line.done) throw new Error('The engine ended. If the workspaces are not built, run npm run build.');
    return JSON.parse(line.value);
  }

  async close(): Promise<void> {
    const exit = once(this.child, 'exit');
    this.child.stdin?.end();
    if (this.child.exitCode === null) await exit;
  }
}

/** Returns the peak resident memory of a process, in MB. */
export async function peakMbOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** Files of a dataset with similar sizes. */
export interface FileGroup {
  readonly name: string;
  readonly count: number;
  /** The smallest and the largest size, in bytes. The sizes of the files are spread between both. */
  readonly sizes: readonly [number, number];
}

/** Writes the dataset `id` of a source with files of random bytes. @returns the number of bytes */
export async function layFiles(
  source: string,
  id: string,
  groups: readonly FileGroup[],
  filesPerFolder = 1000,
): Promise<number> {
  const script = `
    import { mkdirSync, openSync, writeSync, closeSync } from 'node:fs';
    import { randomFillSync } from 'node:crypto';
    const { folder, groups, filesPerFolder } = JSON.parse(process.argv[1]);
    const bytes = randomFillSync(Buffer.alloc(16 * 1024 * 1024));
    let written = 0;
    for (const { name, count, sizes: [least, most] } of groups) {
      for (let file = 0; file < count; file += 1) {
        const home = folder + '/' + name + '/' + String(Math.floor(file / filesPerFolder)).padStart(4, '0');
        if (file === 0 || file % filesPerFolder === 0) mkdirSync(home, { recursive: true });
        const size = least + ((file * 7919) % (most - least + 1));
        const descriptor = openSync(home + '/file-' + file + '.dat', 'w');
        bytes.writeUInt32LE(file, 0);
        for (let left = size; left > 0; left -= bytes.length)
          writeSync(descriptor, bytes, 0, Math.min(left, bytes.length));
        closeSync(descriptor);
        written += size;
      }
    }
    process.stdout.write(String(written));`;
  const folder = join(source, 'SUB-1', id);
  await mkdir(folder, { recursive: true });
  const order = JSON.stringify({ folder, groups, filesPerFolder: Math.min(filesPerFolder, Number.MAX_SAFE_INTEGER) });
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script, order]);
  return Number(stdout);
}

/** Writes the dataset `id` of a source, with `count` files of `size` random bytes each. */
export async function layDataset(
  source: string,
  id: string,
  count: number,
  size: number,
  filesPerFolder?: number,
): Promise<void> {
  await layFiles(source, id, [{ name: 'files', count, sizes: [size, size] }], filesPerFolder);
}

/** Adds the delivery's list of checksums. */
export async function declareChecksums(source: string, id: string): Promise<void> {
  const script = 'find . -type f -print0 | xargs -0 sha256sum > ../sums && mv ../sums SHA256SUMS';
  await run('sh', ['-c', script], { cwd: join(source, 'SUB-1', id) });
}

/** Returns a folder as a URL for `SOURCE_URL` or `STORAGE_URL`. */
export function urlOf(folder: string): string {
  return pathToFileURL(folder).href;
}
