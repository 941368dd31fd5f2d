import { spawnSync } from 'node:child_process';
import { X_OK } from 'node:constants';
import { accessSync } from 'node:fs';

/** Whom a process runs as; without ids: whoever runs this one. */
export interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

const candidates = ['postgres', 'nobody'];

/**
 * The account that runs Postgres, which refuses to run as root: ourselves, or for root the system's `postgres`, else
 * `nobody`. Both have the passwd entry that `initdb` asks for.
 */
export function postgresAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  for (const name of candidates) {
    const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }));
    if (uid?.status === 0 && gid?.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  throw new Error(`Postgres does not run as root, and there is no account ${candidates.join(' or ')} to run it as.`);
}

/** Whether the account can enter this folder, which depends on every folder above it. */
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
