import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Bucket } from '../../s3/bucket.js';
import { copyObject, maxCallBytes, type CopyOptions, type ObjectVersion } from '../../s3/object-copy.js';

/** What one call copies at least, whatever the store. */
const leastCallBytes = 64 * 1024 * 1024;

/** How long a call may take that is waited for. */
const shortMs = 500;

/**
 * Has the store copy objects into a bucket: in one call what takes it but a moment, in parts what takes longer, for a
 * single call cannot be taken back. Stores that share blocks copy any size in a moment, but share nothing of parts.
 */
export class S3Copies {
  private callBytes: Promise<number> | null = null;

  /** @param trials the prefix of what may be left by a process that is killed, and is swept */
  constructor(
    private readonly bucket: Bucket,
    private readonly trials: string,
    private readonly waitMs = shortMs,
  ) {}

  /** The same as `copyObject`. */
  async copy(from: ObjectVersion, to: string, options: CopyOptions): Promise<void> {
    await copyObject(this.bucket, from, to, { ...options, callBytes: await this.callBytesFor(from) });
  }

  /** Known from the first object for which it matters. */
  private async callBytesFor(from: ObjectVersion): Promise<number> {
    if (from.size <= leastCallBytes) return leastCallBytes;
    if (from.size <= maxCallBytes) this.callBytes ??= this.tryWith(from);
    return (await this.callBytes) ?? leastCallBytes;
  }

  /** Has an object copied to where nobody misses it. @returns what the store copies in the time of a short call */
  private async tryWith(from: ObjectVersion): Promise<number> {
    const key = this.trials + randomUUID();
    const began = performance.now();
    const isCopied = copyObject(this.bucket, from, key, { isBare: true }).then(
      () => true,
      () => false,
    );
    void isCopied.then(() => this.bucket.remove(key)).catch(() => undefined);
    const isSoon = await Promise.race([isCopied, setTimeout(this.waitMs, false)]);
    if (!isSoon) return leastCallBytes;
    const inTime = (from.size / (performance.now() - began)) * this.waitMs;
    return Math.min(maxCallBytes, Math.max(leastCallBytes, Math.floor(inTime)));
  }
}
