import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Bucket } from '../../s3/bucket.js';
import { copyObject, maxCallBytes, type CopyOptions, type ObjectVersion } from '../../s3/object-copy.js';

/** The least size of one copy call, whatever the speed of the store. */
const leastCallBytes = 64 * 1024 * 1024;

/** The target duration of one copy call in milliseconds. */
const shortMs = 500;

/**
 * Server-side copies into a bucket. An object that the store copies quickly is copied in one call, and any other object
 * in parts, because a single call cannot be cancelled. Stores that share blocks copy any size quickly in one call, but do
 * not share the blocks of parts.
 */
export class S3Copies {
  private callBytes: Promise<number> | null = null;

  /** @param trials the prefix of trial copies; a sweep removes the leftovers of killed processes */
  constructor(
    private readonly bucket: Bucket,
    private readonly trials: string,
    private readonly waitMs = shortMs,
  ) {}

  /** Copies an object like `copyObject`. */
  async copy(from: ObjectVersion, to: string, options: CopyOptions): Promise<void> {
    await copyObject(this.bucket, from, to, { ...options, callBytes: await this.callBytesFor(from) });
  }

  /** Returns the size to copy in one call. The first object that exceeds the least size measures it. */
  private async callBytesFor(from: ObjectVersion): Promise<number> {
    if (from.size <= leastCallBytes) return leastCallBytes;
    if (from.size <= maxCallBytes) this.callBytes ??= this.measure(from);
    return (await this.callBytes) ?? leastCallBytes;
  }

  /** Copies an object to a trial key. @returns the bytes that the store copies in the target duration */
  private async measure(from: ObjectVersion): Promise<number> {
    const key = this.trials + randomUUID();
    const startedAt = performance.now();
    const isCopied = copyObject(this.bucket, from, key, { isBare: true }).then(
      () => true,
      () => false,
    );
    void isCopied.then(() => this.bucket.remove(key)).catch(() => undefined);
    const isQuick = await Promise.race([isCopied, setTimeout(this.waitMs, false)]);
    if (!isQuick) return leastCallBytes;
    const bytes = (from.size / (performance.now() - startedAt)) * this.waitMs;
    return Math.min(maxCallBytes, Math.max(leastCallBytes, Math.floor(bytes)));
  }
}
