import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';

/** A lock that is held; the operating system lets it go when its holder dies, however it dies. */
export interface Lock {
  release(): void;
}

const pollMs = 200;
const sqliteBusy = 5;

/**
 * Takes the lock that the file stands for, or answers undefined when another process holds it.
 *
 * SQLite's file lock is used because it is the one that Node offers on every system.
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

/** Takes the lock as soon as it is free, and calls `onWait` once if it is not at first. */
export async function lock(file: string, onWait: () => void): Promise<Lock> {
  let held = tryLock(file);
  if (!held) onWait();
  while (!held) {
    await pause(pollMs);
    held = tryLock(file);
  }
  return held;
}
