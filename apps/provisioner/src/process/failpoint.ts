import type { Environment } from '@rdc/settings';

/**
 * Instructions at which a process can be told to end or to halt, so that tests reach each of them: around every step
 * that others can see, or that must not be done twice.
 */
export const failpoints = [
  'request_open',
  'before_start',
  'after_plan',
  'after_claim',
  'mid_file',
  'before_read_back',
  'after_part',
  'before_complete',
  'before_journal',
  'after_journal',
  'before_sync',
  'flush_failed',
  'after_sync',
  'after_commit_json',
  'before_rename',
  'after_rename',
  'before_decision',
  'before_commit',
  'after_commit',
  'amid_discard',
  'before_done',
  'after_done',
  'before_close',
] as const;

export type Failpoint = (typeof failpoints)[number];

const shape = /^([a-z_]+)(?::(\d+))?(?::(SIGKILL|SIGSTOP))?$/;

let armed: string | null = null;
let passesLeft = 0;
let signal: NodeJS.Signals = 'SIGKILL';

/**
 * Arms the failpoint that `FAILPOINT=name[:pass[:signal]]` names: the process sends itself the signal, SIGKILL unless
 * it is SIGSTOP, when it comes there for the n-th time. For tests only: with `NODE_ENV=production` it is not looked at.
 *
 * @throws RangeError for a name that no failpoint has
 */
export function armFailpoint({ FAILPOINT, NODE_ENV }: Environment): void {
  armed = null;
  if (FAILPOINT === undefined || FAILPOINT === '' || NODE_ENV === 'production') return;
  const [, name = '', passes = '1', wanted = 'SIGKILL'] = shape.exec(FAILPOINT) ?? [];
  if (!(failpoints as readonly string[]).includes(name)) throw new RangeError(`FAILPOINT: there is no "${FAILPOINT}".`);
  armed = name;
  passesLeft = Number(passes);
  signal = wanted as NodeJS.Signals;
}

/** Where a test can end or halt the process; nothing else happens here. */
export function failpoint(name: Failpoint): void {
  if (name !== armed) return;
  passesLeft -= 1;
  if (passesLeft === 0) process.kill(process.pid, signal);
}
