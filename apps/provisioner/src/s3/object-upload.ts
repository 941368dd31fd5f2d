import type { CompletedPart } from '@aws-sdk/client-s3';
import { createHash } from 'node:crypto';
import { failpoint } from '../process/failpoint.js';
import { sha256Of, type Bucket } from './bucket.js';
import { beginUpload, completeUpload, partsOf, sendPart, type OpenUpload, type StoredPart } from './multipart.js';
import type { PartMemory } from '../concurrency/part-memory.js';

const mebibyte = 1024 * 1024;

/** Parts are not smaller than this. */
export const minPartBytes = 8 * mebibyte;

/** Stores take 10,000 parts; some are left as a margin. */
const maxParts = 9_000;

/** Times other bytes under the same key are replaced before the key is given up. */
const maxReplacements = 5;

/** The size of the parts in which an object of a size is sent: whole mebibytes, at most 9,000 of them. */
export function partBytesFor(size: number): number {
  return Math.max(minPartBytes, Math.ceil(size / maxParts / mebibyte) * mebibyte);
}

/** How an object is sent. */
export interface UploadOptions {
  readonly partBytes: number;
  /** Where its parts are kept until the store has them. */
  readonly memory: PartMemory;
  /** An upload of the same bytes that an earlier attempt began. */
  readonly former?: OpenUpload | undefined;
  /** Called before the object begins to be there in parts, and before it is there. */
  readonly checkOwned: () => Promise<void>;
  /** Told of the bytes of each part that the former upload had already. */
  readonly onResumed?: ((bytes: number) => void) | undefined;
}

/**
 * One object being sent: whole when it fits one part, else in parts, as many on their way while the next is filled as
 * the memory allows. The store is told the SHA-256 of everything before it gets it. Of a former upload, parts that the
 * store has with these very bytes are not sent again.
 */
export class ObjectUpload {
  private part: Buffer | null = null;
  private filled = 0;
  private size = 0;
  private upload: OpenUpload | null = null;
  private former = new Map<number, StoredPart>();
  private readonly parts: CompletedPart[] = [];
  private readonly sending: Promise<void>[] = [];
  /** Why a part could not be sent. */
  private failure: Error | null = null;

  constructor(
    private readonly bucket: Bucket,
    private readonly key: string,
    private readonly options: UploadOptions,
  ) {}

  /** Takes the next bytes; they may be used again when it resolves. */
  async write(bytes: Buffer): Promise<void> {
    for (let from = 0; from < bytes.length;) {
      if (this.filled === this.options.partBytes) await this.flushPart();
      this.part ??= await this.options.memory.take(this.options.partBytes);
      const count = bytes.copy(this.part, this.filled, from);
      this.filled += count;
      from += count;
    }
    this.size += bytes.length;
  }

  /** Makes the object be there. @param sha256 of all of it, where it is known @returns its ETag */
  async finish(sha256?: string): Promise<string> {
    if (!this.upload) return this.sendWhole(sha256);
    await this.flushPart();
    await Promise.all(this.sending);
    await this.options.checkOwned();
    failpoint('before_complete');
    await completeUpload(this.bucket, this.upload, this.parts);
    const made = await this.bucket.head(this.key);
    if (made?.size !== this.size) throw storeLost(`${this.key} is not there whole after it was sent.`);
    return made.etag;
  }

  /** Gives back what it holds. To be called at its end, whatever that was; parts on their way are given back as they arrive. */
  release(): void {
    if (this.part) this.options.memory.give(this.part);
    this.part = null;
  }

  /**
   * Never over an object that this call has not seen: a zombie's late call for the same key is refused. The same bytes
   * are left as they are; others make room for these.
   */
  private async sendWhole(known: string | undefined): Promise<string> {
    const bytes = this.part?.subarray(0, this.filled) ?? Buffer.alloc(0);
    const sha256 = known ?? sha256Of(bytes);
    for (let tries = 0; tries < maxReplacements; tries += 1) {
      const made = await this.bucket.create(this.key, bytes, sha256);
      if (made !== null) return made;
      const standing = await this.bucket.head(this.key);
      if (!standing) continue;
      if (standing.size === bytes.length && isMd5Of(bytes, standing.etag)) return standing.etag;
      await this.options.checkOwned();
      const replaced = await this.bucket.replace(this.key, bytes, standing.etag);
      if (replaced !== null) return replaced;
    }
    throw storeLost(`${this.key} is written by somebody else again and again.`);
  }

  private async flushPart(): Promise<void> {
    if (this.failure) throw this.failure;
    if (!this.part) return;
    this.upload ??= await this.begin();
    const { part, filled } = this;
    this.part = null;
    this.filled = 0;
    const sending = this.send(this.upload, this.parts.length + 1, part.subarray(0, filled)).finally(() => {
      this.options.memory.give(part);
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
    this.former = await partsOf(this.bucket, former);
    return former;
  }

  private async send(upload: OpenUpload, number: number, bytes: Buffer): Promise<void> {
    const part = { PartNumber: number };
    this.parts.push(part);
    const etag =
      this.standing(number, bytes) ?? (await sendPart(this.bucket, upload, { number, bytes, sha256: sha256Of(bytes) }));
    Object.assign(part, { ETag: etag });
    failpoint('after_part');
  }

  /** The ETag of a part that the store has already; it is the MD5 of its bytes, and where it is not, it is sent again. */
  private standing(number: number, bytes: Buffer): string | undefined {
    const stored = this.former.get(number);
    if (stored?.size !== bytes.length || !isMd5Of(bytes, stored.etag)) return undefined;
    this.options.onResumed?.(bytes.length);
    return stored.etag;
  }
}

/** Whether an ETag says that the store has these bytes; where it is not an MD5 it never does. */
function isMd5Of(bytes: Buffer, etag: string): boolean {
  return etag.replaceAll('"', '') === createHash('md5').update(bytes).digest('hex');
}

function storeLost(message: string): Error {
  return Object.assign(new Error(message), { code: 'EIO' });
}
