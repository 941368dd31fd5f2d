import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Positions of fields after the command's name in `/proc/<pid>/stat` (proc(5), fields 3 and 22). */
const stateField = 0;
const startTimeField = 19;

/**
 * Returns the start time of a process in the operating system's notation. The start time distinguishes the process from
 * a later process with the same id.
 *
 * @returns undefined if the process does not exist or is a zombie
 */
export function identityOf(pid: number): string | undefined {
  return existsSync('/proc/self/stat') ? identityFromProc(pid) : identityFromPs(pid);
}

function identityFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ['Z', 'X'].includes(fields[stateField] ?? '') ? undefined : fields[startTimeField];
  } catch {
    return undefined;
  }
}

function identityFromPs(pid: number): string | undefined {
  const { status, stdout } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' });
  const [, state, started] = /^\s*(\S+)\s+(.+?)\s*$/.exec(stdout) ?? [];
  return status === 0 && !state?.startsWith('Z') ? started : undefined;
}
