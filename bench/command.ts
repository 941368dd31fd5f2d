import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs a command. @returns the duration of its process in seconds */
export async function secondsOf(command: string, ...args: string[]): Promise<number> {
  const begun = performance.now();
  await run(command, args, { maxBuffer: 64 * 1024 * 1024 });
  return (performance.now() - begun) / 1000;
}

/** Whether a command is installed on this machine. */
export async function isThere(command: string): Promise<boolean> {
  return run('sh', ['-c', `command -v ${command}`]).then(
    () => true,
    () => false,
  );
}
