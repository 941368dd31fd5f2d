/**
 * A landing thread: writes and hashes files whose bytes another thread receives. Its modules import nothing of ours but
 * types, use only syntax that Node can erase, and are imported by their own kind of name, so that they run from the build
 * and from the sources alike.
 *
 * Calls are synchronous, except the flush of a file, which takes so long that others would wait for it.
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

/** A file of which not all has come. */
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

  /** @returns hexadecimal digests by algorithm */
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

/** By the number of the file. */
const landings = new Map<number, Landing>();

/** @returns the outcome with the last piece; what comes of a file after its failure is passed over */
async function take({ file, order, bytes, step }: LandingPiece): Promise<CopyOutcome[]> {
  if (order) landings.set(file, new Landing(order));
  const landing = landings.get(file);
  if (!landing) return [];
  let isWanted = false;
  try {
    if (step === 'give up') return [];
    landing.add(bytes);
    isWanted = step === 'more';
    return isWanted ? [] : [{ digests: await landing.finish() }];
  } finally {
    if (!isWanted) {
      landings.delete(file);
      landing.close();
    }
  }
}

async function answer(piece: LandingPiece): Promise<Reply<CopyOutcome>> {
  try {
    return { id: piece.id, outcomes: await take(piece) };
  } catch (error) {
    return { id: piece.id, outcomes: [{ failure: new CopyError('storage', error).failure }] };
  }
}

parentPort?.on('message', (piece: LandingPiece) => {
  void answer(piece).then((reply) => parentPort?.postMessage(reply));
});
