/**
 * A thread that reads small files with synchronous calls, which is the fastest way for many files. `startThread` states
 * the rules for its modules.
 */
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';

/** Reads a file. @returns null if the file does not exist */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

parentPort?.on('message', (paths: readonly string[]) => {
  parentPort?.postMessage(paths.map(textOf));
});
