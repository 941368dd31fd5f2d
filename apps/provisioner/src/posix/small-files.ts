import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Number of files from which threads read them. */
const minFilesForThreads = 1_000;

/** Number of threads. A network file system serves several reads at once; a local disk gains nothing from more. */
const threads = 4;

/** Concurrent reads when no threads are used. */
const concurrentReads = 16;

/** A message of a reading thread: the contents of its next files, in the order of their paths, or a failure. */
export interface SmallFilesMessage {
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /** The end of each file in `bytes`; -1 for a file that does not exist. */
  readonly ends?: readonly number[];
  readonly failure?: { readonly message: string; readonly code?: string; readonly syscall?: string };
}

/**
 * Reads many small files completely.
 *
 * @param take called for each file, in any order, with its index in `paths` and its text; null if the file does not
 *   exist
 * @throws the system error of the first file that cannot be read
 */
export async function readSmallFiles(
  paths: readonly string[],
  take: (at: number, text: string | null) => void,
): Promise<void> {
  if (paths.length >= minFilesForThreads) {
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
  await Promise.all(Array.from({ length: concurrentReads }, readOn));
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
