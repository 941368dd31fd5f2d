import type { CompletedPart } from '@aws-sdk/client-s3';
import { createHash } from 'node:crypto';
import { failpoint } from '../process/failpoint.js';
import { sha256Of, type Bucket } from './bucket.js';
import { beginUpload, completeUpload, partsOf, sendPart, type OpenUpload, type StoredPart } from './multipart.js';
import type { BufferPool } from '../concurrency/buffer-pool.js';

const mebibyte = 1024 * 1024;

/** The smallest part in bytes. */
export const minPartBytes = 8 * mebibyte;

/** The maximum number of parts of an upload. Stores accept 10,000; the difference is a margin. */
const maxParts = 9_000;

/** The maximum number of attempts to replace other bytes at the same key. */
const maxReplacements = 5;

/** Returns the size of the parts of an object: whole mebibytes, for at most 9,000 parts. */
export function partBytesFor(size: number): number {
  return Math.max(minPartBytes, Math.ceil(size / maxParts / mebibyte) * mebibyte);
}

export interface UploadOptions {
  readonly partBytes: number;
  /** Memory for parts until they are stored. */
  readonly memory: BufferPool;
  /** An open upload of the same bytes from an earlier attempt. */
  readonly former?: OpenUpload | undefined;
  /** Called before a multipart upload begins and before the object is created. Throws to end the upload. */
  readonly checkOwned: () => Promise<void>;
  /** Called with the size of each part that the earlier upload contains. */
  readonly onResumed?: ((bytes: number) => void) | undefined;
}

/**
 * An upload of one object: in one call if the object fits into one part, otherwise in parts, as many at once as the
 * memory allows. Each call announces the SHA-256 of its bytes. Parts of an earlier upload with the same bytes are not
 * sent again.
 */
export class ObjectUpload {
  private part: Buffer | null = null;
  private filled = 0;
  private size = 0;
  private upload: OpenUpload | null = null;
  private storedParts = new Map<number, StoredPart>();
  private readonly parts: CompletedPart[] = [];
  private readonly sending: Promise<void>[] = [];
  /** The error of the first part that could not be sent. */
  private failure: Error | null = null;

  constructor(
    private readonly bucket: Bucket,
    private readonly key: string,
    private readonly options: UploadOptions,
  ) {}

  /** Writes the next bytes. The caller may reuse the buffer when the promise resolves. */
  async write(bytes: Buffer): Promise<void> {
    for (let from = 0; from < bytes.length;) {
      if (this.filled === this.options.partBytes) await this.flushPart();
      this.part ??= await this.options.memory.acquire(this.options.partBytes);
      const count = bytes.copy(this.part, this.filled, from);
      this.filled += count;
      from += count;
    }
    this.size += bytes.length;
  }

  /** Creates the object. @param sha256 of the whole object, if known @returns the ETag */
  async finish(sha256?: string): Promise<string> {
    if (!this.upload) return this.sendWhole(sha256);
    await this.flushPart();
    await Promise.all(this.sending);
    await this.options.checkOwned();
    failpoint('before_complete');
    await completeUpload(this.bucket, this.upload, this.parts);
    const stored = await this.bucket.head(this.key);
    if (stored?.size !== this.size)
      throw storeError(`The store has not kept the whole of ${this.key} after its upload. Check the store.`);
    return stored.etag;
  }

  /** Releases the memory. Must be called at the end of every upload. Parts in transit keep their memory until sent. */
  release(): void {
    if (this.part) this.options.memory.release(this.part);
    this.part = null;
  }

  /**
   * Sends the object in one call. Replaces only the version that was read before, so that a late call of a stopped
   * worker is refused. If the stored bytes are the same, they stay.
   */
  private async sendWhole(known: string | undefined): Promise<string> {
    const bytes = this.part?.subarray(0, this.filled) ?? Buffer.alloc(0);
    const sha256 = known ?? sha256Of(bytes);
    for (let tries = 0; tries < maxReplacements; tries += 1) {
      const created = await this.bucket.create(this.key, bytes, sha256);
      if (created !== null) return created;
      const existing = await this.bucket.head(this.key);
      if (!existing) continue;
      if (existing.size === bytes.length && isMd5Of(bytes, existing.etag)) return existing.etag;
      await this.options.checkOwned();
      const replaced = await this.bucket.replace(this.key, bytes, existing.etag);
      if (replaced !== null) return replaced;
    }
    throw storeError(`Another process keeps writing ${this.key}. End the other writer of this storage.`);
  }

  private async flushPart(): Promise<void> {
    if (this.failure) throw this.failure;
    if (!this.part) return;
    this.upload ??= await this.begin();
    const { part, filled } = this;
    this.part = null;
    this.filled = 0;
    const sending = this.send(this.upload, this.parts.length + 1, part.subarray(0, filled)).finally(() => {
      this.options.memory.release(part);
    });
    sending.catch((error: unknown) => {
      this.failure ??= error as Error;
    });
    this.sending.push(sending);
  }

  private async begin(): Promise<OpenUpload> {
    await this.options.checkOwned();
    const { former } = this.options;
    if (!former) return beginUpload(this.bucket, this.key);
    this.storedParts = await partsOf(this.bucket, former);
    return former;
  }

  private async send(upload: OpenUpload, number: number, bytes: Buffer): Promise<void> {
    const part = { PartNumber: number };
    this.parts.push(part);
    const etag =
      this.storedEtag(number, bytes) ??
      (await sendPart(this.bucket, upload, { number, bytes, sha256: sha256Of(bytes) }));
    Object.assign(part, { ETag: etag });
    failpoint('after_part');
  }

  /** Returns the ETag of a stored part with these bytes. If ETags are not MD5 digests, parts are sent again. */
  private storedEtag(number: number, bytes: Buffer): string | undefined {
    const stored = this.storedParts.get(number);
    if (stored?.size !== bytes.length || !isMd5Of(bytes, stored.etag)) return undefined;
    this.options.onResumed?.(bytes.length);
    return stored.etag;
  }
}

function isMd5Of(bytes: Buffer, etag: string): boolean {
  return etag.replaceAll('"', '') === createHash('md5').update(bytes).digest('hex');
}

function storeError(message: string): Error {
  return Object.assign(new Error(message), { code: 'EIO' });
}
