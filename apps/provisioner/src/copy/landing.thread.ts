/**
 * A landing thread: writes and hashes files whose bytes another thread receives. `startThread` states the rules for its
 * modules.
 *
 * All calls are synchronous except the flush of a file, which would delay the other files.
 */
import { closeSync, fsync, futimesSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { parentPort } from 'node:worker_threads';
import type { Reply } from '../concurrency/thread-pool.js';
import type { CopyOutcome } from './copy-messages.js';
import { Digests } from './digests.js';
import type { LandingOrder, LandingPiece } from './landing-messages.js';
import { openNewFile } from './new-file.js';
import { CopyError } from './pump.js';

const flush = promisify(fsync);

/** An incomplete file. */
class Landing {
  private readonly order: LandingOrder;
  private readonly digests: Digests;
  private readonly output: number;

  constructor(order: LandingOrder) {
    this.order = order;
    this.digests = new Digests(order.algorithms);
    this.output = openNewFile(order.folder, order.path);
  }

  add(bytes: Uint8Array): void {
    this.digests.update(bytes);
    for (let done = 0; done < bytes.length;) done += writeSync(this.output, bytes, done, bytes.length - done);
  }

  /** Sets the times of the file. @returns hexadecimal digests by algorithm */
  async finish(): Promise<Record<string, string>> {
    const seconds = Number(this.order.mtimeNs) / 1e9;
    futimesSync(this.output, seconds, seconds);
    if (this.order.flush) await flush(this.output);
    return this.digests.hex();
  }

  close(): void {
    closeSync(this.output);
  }
}

/** Incomplete files by number. */
const landings = new Map<number, Landing>();

/** Processes a piece. Ignores pieces of a file that has failed. @returns the outcome after the last piece */
async function processPiece({ file, order, bytes, step }: LandingPiece): Promise<CopyOutcome[]> {
  if (order) landings.set(file, new Landing(order));
  const landing = landings.get(file);
  if (!landing) return [];
  let isOpen = false;
  try {
    if (step === 'abort') return [];
    landing.add(bytes);
    isOpen = step === 'more';
    return isOpen ? [] : [{ digests: await landing.finish() }];
  } finally {
    if (!isOpen) {
      landings.delete(file);
      landing.close();
    }
  }
}

async function replyTo(piece: LandingPiece): Promise<Reply<CopyOutcome>> {
  try {
    return { id: piece.id, outcomes: await processPiece(piece) };
  } catch (error) {
    return { id: piece.id, outcomes: [{ failure: new CopyError('storage', error).failure }] };
  }
}

parentPort?.on('message', (piece: LandingPiece) => {
  void replyTo(piece).then((reply) => parentPort?.postMessage(reply));
});
