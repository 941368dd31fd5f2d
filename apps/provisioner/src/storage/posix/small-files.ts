import { readFile } from 'node:fs/promises';
import { forEachConcurrently } from '../../concurrency/for-each-concurrently.js';
import { ThreadPool } from '../../concurrency/thread-pool.js';
import { ignoring } from './durable-file.js';

/** Number of files from which threads read them. */
const minFilesForThreads = 1_000;

/** Number of threads. A network file system serves several reads at once; a local disk gains nothing from more. */
const threadCount = 4;

const filesPerBatch = 500;

/** Concurrent reads when no threads are used. */
const concurrentReads = 16;

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
  if (paths.length >= minFilesForThreads) return readInThreads(paths, take);
  await forEachConcurrently(paths.entries(), concurrentReads, async ([at, path]) => {
    take(at, (await ignoring(['ENOENT', 'ENOTDIR'], readFile(path, 'utf8'))) ?? null);
  });
}

async function readInThreads(paths: readonly string[], take: (at: number, text: string | null) => void): Promise<void> {
  const module = new URL('./small-files.thread.js', import.meta.url);
  const threads = new ThreadPool<readonly string[], string | null>(module, threadCount);
  const starts = Array.from({ length: Math.ceil(paths.length / filesPerBatch) }, (_, batch) => batch * filesPerBatch);
  try {
    await forEachConcurrently(starts, threads.capacity, async (first) => {
      const texts = await threads.run(paths.slice(first, first + filesPerBatch));
      for (const [index, text] of texts.entries()) take(first + index, text);
    });
  } finally {
    await threads.close();
  }
}
