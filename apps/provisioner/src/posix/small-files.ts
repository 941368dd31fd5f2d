import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** So many files and more are read by threads. */
const manyFiles = 1_000;

/** More do not help on a local disk; a file system on the network answers several at once. */
const threads = 4;

/** Files read at once when they are few. */
const readsAtOnce = 16;

/** What a thread that was given paths answers, again and again: the next of their files, one after the other. */
export interface SmallFilesMessage {
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /** Where each file ends in the bytes; -1 for one that is not there. */
  readonly ends?: readonly number[];
  readonly failure?: { readonly message: string; readonly code?: string; readonly syscall?: string };
}

/**
 * Reads many small files whole.
 *
 * @param take called for each with its place in `paths` and its text, null when it is not there; in no order
 * @throws what the operating system says of the first that cannot be read
 */
export async function readSmallFiles(
  paths: readonly string[],
  take: (at: number, text: string | null) => void,
): Promise<void> {
  if (paths.length >= manyFiles) {
    const share = Math.ceil(paths.length / threads);
    const reading = Array.from({ length: threads }, (_, thread) => {
      const first = thread * share;
      return readInThread(paths.slice(first, first + share), (at, text) => {
        take(first + at, text);
      });
    });
    await Promise.all(reading);
    return;
  }
  const rest = paths.entries();
  const readOn = async (): Promise<void> => {
    for (const [at, path] of rest) take(at, await textOf(path));
  };
  await Promise.all(Array.from({ length: readsAtOnce }, readOn));
}

async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

async function readInThread(paths: readonly string[], take: (at: number, text: string | null) => void): Promise<void> {
  const thread = new Worker(new URL(`./small-files.thread${extname(import.meta.url)}`, import.meta.url), {
    workerData: paths,
  });
  let at = 0;
  try {
    await new Promise<void>((resolve, reject) => {
      thread.on('message', ({ bytes, ends = [], failure }: SmallFilesMessage) => {
        if (failure) reject(Object.assign(new Error(failure.message), failure));
        if (bytes) for (const text of textsOf(bytes, ends)) take(at++, text);
      });
      thread.once('error', reject).once('exit', () => {
        resolve();
      });
    });
  } finally {
    await thread.terminate();
  }
}

function* textsOf({ buffer }: Uint8Array<ArrayBuffer>, ends: readonly number[]): Generator<string | null> {
  const bytes = Buffer.from(buffer);
  let start = 0;
  for (const end of ends) {
    yield end < 0 ? null : bytes.toString('utf8', start, end);
    start = Math.max(start, end);
  }
}
