import type { Environment } from '@rdc/settings';

/**
 * Points in the code at which a test can kill or stop the process. They surround every step that other processes can
 * observe and every step that must not run twice.
 */
const failpoints = [
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
  'shards_cut',
  'shards_opened',
  'shard_claimed',
  'shard_flushed',
  'shard_moved',
  'shard_ended',
  'shards_copied',
  'after_purge',
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
 * Arms the failpoint in `FAILPOINT=name[:pass[:signal]]`. When the process reaches the failpoint for the n-th time
 * (`pass`, by default 1), it sends itself `signal`: SIGKILL (the default) or SIGSTOP. For tests only: the variable is
 * ignored if `NODE_ENV` is `production`.
 *
 * @throws RangeError if no failpoint has the name
 */
export function armFailpoint({ FAILPOINT, NODE_ENV }: Environment): void {
  armed = null;
  if (FAILPOINT === undefined || FAILPOINT === '' || NODE_ENV === 'production') return;
  const [, name = '', passes = '1', signalName = 'SIGKILL'] = shape.exec(FAILPOINT) ?? [];
  if (!(failpoints as readonly string[]).includes(name))
    throw new RangeError(`FAILPOINT: unknown failpoint "${FAILPOINT}".`);
  armed = name;
  passesLeft = Number(passes);
  signal = signalName as NodeJS.Signals;
}

/** Sends the armed signal if the failpoint of this name is armed; otherwise does nothing. */
export function failpoint(name: Failpoint): void {
  if (name !== armed) return;
  passesLeft -= 1;
  if (passesLeft === 0) process.kill(process.pid, signal);
}
