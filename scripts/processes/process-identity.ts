import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Positions in what follows the command's name in `/proc/<pid>/stat` (proc(5), fields 3 and 22). */
const stateField = 0;
const startTimeField = 19;

/**
 * When a process started, as the system tells it: what sets it apart from a later one that got the same id. Undefined
 * when there is no such process, or only its remains wait for their parent.
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
