import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';

/** An acquired lock. The operating system releases the lock when the holding process ends for any reason. */
export interface Lock {
  release(): void;
}

const pollMs = 200;
const sqliteBusy = 5;

/**
 * Acquires the lock of the file. The lock is SQLite's, because Node offers no other file lock.
 *
 * @returns undefined if another process holds the lock
 */
export function tryLock(file: string): Lock | undefined {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === sqliteBusy) return undefined;
    throw error;
  }
  return {
    release: () => {
      database.close();
    },
  };
}

/** Waits for the lock and acquires it. If another process holds the lock at first, `onWait` is called once. */
export async function lock(file: string, onWait: () => void): Promise<Lock> {
  let held = tryLock(file);
  if (!held) onWait();
  while (!held) {
    await pause(pollMs);
    held = tryLock(file);
  }
  return held;
}
