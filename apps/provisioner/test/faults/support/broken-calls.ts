import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { until } from '../../../../../test/support/until.ts';

/** The system calls of a process that fail, and their error. */
export interface Broken {
  /** The names of the calls as in `strace`, separated by commas. */
  readonly calls: string;
  readonly errno: string;
  /** The file or folder whose calls fail. If undefined, all calls fail. */
  readonly path?: string;
}

/** A process whose system calls fail until `restore`. Requires `strace` and the permission to trace. */
export class BrokenCalls {
  private constructor(
    private readonly tracer: ChildProcess,
    private readonly log: string,
  ) {}

  /** Resolves when the calls of all its threads fail. */
  static async of(pid: number, { calls, errno, path }: Broken, log: string): Promise<BrokenCalls> {
    const where = path === undefined ? [] : ['-P', path];
    const what = ['-e', `trace=${calls}`, '-e', `inject=${calls}:error=${errno}`];
    const tracer = spawn('strace', ['-f', '-o', log, '-p', String(pid), ...where, ...what], { stdio: 'ignore' });
    await until(() => isTraced(pid));
    return new BrokenCalls(tracer, log);
  }

  /** Makes the calls succeed again. */
  async restore(): Promise<void> {
    this.tracer.kill('SIGTERM');
    if (this.tracer.exitCode === null && this.tracer.signalCode === null) await once(this.tracer, 'exit');
  }

  /** Returns the number of failed calls. */
  async count(): Promise<number> {
    return (await readFile(this.log, 'utf8')).split('(INJECTED)').length - 1;
  }
}

async function isTraced(pid: number): Promise<boolean> {
  const folder = `/proc/${String(pid)}/task`;
  const threads = await Promise.all(
    (await readdir(folder)).map((thread) => readFile(`${folder}/${thread}/status`, 'utf8')),
  );
  return threads.every((status) => /^TracerPid:\s+[1-9]/m.test(status));
}
