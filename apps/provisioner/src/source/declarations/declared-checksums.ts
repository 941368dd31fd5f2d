import { Semaphore } from '../../concurrency/semaphore.js';
import type { KeptThread } from './declaration-threads.js';
import type { Checksums } from './declared-files.js';

/** The checksums that a place declares. The thread that read the checksums keeps them until `release`. */
export class DeclaredChecksums {
  private readonly turns = new Semaphore(1);

  /** @param thread null if no checksum is declared or none is needed */
  constructor(private thread: KeptThread | null) {}

  /** Returns the checksums of each file, in the order of the paths. */
  async of(paths: readonly string[]): Promise<readonly Checksums[]> {
    const { thread } = this;
    if (!thread) return paths.map(() => ({}));
    return this.turns.run(() => thread.request('checksums', { paths }));
  }

  /** Frees the memory of the checksums. Later calls of `of` return none. */
  release(): void {
    this.thread?.release();
    this.thread = null;
  }
}
