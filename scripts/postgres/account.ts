import { spawnSync } from 'node:child_process';
import { X_OK } from 'node:constants';
import { accessSync } from 'node:fs';

/** The account that runs a process; without ids, the account of this process. */
export interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

const candidates = ['postgres', 'nobody'];

/**
 * Returns the account that runs Postgres. Postgres refuses to run as root. For root, this is the account `postgres`, or
 * `nobody` if there is no `postgres`. Both have the passwd entry that `initdb` requires.
 */
export function postgresAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  for (const name of candidates) {
    const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }));
    if (uid?.status === 0 && gid?.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  throw new Error(
    `Postgres does not run as root, and this machine has no account ${candidates.join(' or ')}. Start as another account, or set DATABASE_URL.`,
  );
}

/** Whether the account can enter this folder and every folder above it. */
export function canEnter(account: Account, folder: string): boolean {
  if (account.uid === undefined) return isExecutable(folder);
  return spawnSync('test', ['-x', folder], { ...account, cwd: '/' }).status === 0;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, X_OK);
    return true;
  } catch {
    return false;
  }
}
