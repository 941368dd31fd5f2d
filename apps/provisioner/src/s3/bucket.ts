import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { forEachConcurrently } from '../concurrency/for-each-concurrently.js';
import type { NextBuffer } from '../model/source-system.js';
import { DirectCalls, type ObjectAnswer } from './direct-calls.js';
import { inPieces } from './pieces.js';
import { noteRead } from './read-garbage.js';
import { s3StatusOf } from './s3-failure.js';

export interface ListedObject {
  /** The key below the bucket's prefix. */
  readonly key: string;
  readonly size: number;
  readonly etag: string;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
  /** Whether the key is UTF-8. If not, `key` is percent-encoded. */
  readonly isUtf8: boolean;
}

/** The maximum number of consecutive connections that break before a byte is read. */
const maxBrokenReads = 4;

/** Concurrent calls that remove objects. */
const removalsAtOnce = 16;

/** A bucket, or the keys below a prefix of a bucket. Methods throw the client's errors unchanged. */
export class Bucket {
  private readonly direct: DirectCalls;

  /**
   * @param prefix empty, or ends with a slash
   * @param store identifies the store by its settings: buckets of one store have equal texts
   */
  constructor(
    readonly client: S3Client,
    readonly name: string,
    readonly prefix: string,
    readonly store: string,
  ) {
    this.direct = new DirectCalls(client, name);
  }

  /** Returns the bucket and full key of an object, for a call. */
  at(key: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.name, Key: this.prefix + key };
  }

  /** Writes an object, and replaces an existing one. @returns the ETag */
  async put(key: string, bytes: Buffer, sha256 = sha256Of(bytes)): Promise<string> {
    return (await this.direct.put({ ...this.at(key), Body: bytes }, sha256)).ETag ?? '';
  }

  /** Writes an object unless one exists. @returns the ETag, or null if one exists */
  async create(key: string, bytes: Buffer, sha256 = sha256Of(bytes)): Promise<string | null> {
    try {
      return (await this.direct.put({ ...this.at(key), Body: bytes, IfNoneMatch: '*' }, sha256)).ETag ?? '';
    } catch (error) {
      if (s3StatusOf(error) === 412) return null;
      throw error;
    }
  }

  /** Replaces the object with that ETag. @returns the new ETag, or null if no object has that ETag */
  async replace(key: string, bytes: Buffer, etag: string): Promise<string | null> {
    // Ceph compares the header with the stored ETag, which has no quotes.
    const written = await this.replaceIf(etag.replaceAll('"', ''), key, bytes);
    return written ?? this.replaceIf(etag, key, bytes);
  }

  private async replaceIf(etag: string, key: string, bytes: Buffer): Promise<string | null> {
    try {
      return (await this.direct.put({ ...this.at(key), Body: bytes, IfMatch: etag }, sha256Of(bytes))).ETag ?? '';
    } catch (error) {
      if ([404, 409, 412].includes(s3StatusOf(error) ?? 0) && (error as Error).name !== 'NoSuchBucket') return null;
      throw error;
    }
  }

  /** Returns an object's bytes, or null if the object does not exist. */
  async get(key: string): Promise<Buffer | null> {
    return (await this.getTagged(key))?.bytes ?? null;
  }

  /** Returns an object's bytes and ETag, or null if the object does not exist. */
  async getTagged(key: string): Promise<{ readonly bytes: Buffer; readonly etag: string } | null> {
    const found = await this.ifExists(() => this.client.send(new GetObjectCommand(this.at(key))));
    return found?.Body ? { bytes: Buffer.from(await found.Body.transformToByteArray()), etag: found.ETag ?? '' } : null;
  }

  /** Returns an object's size and ETag, or null if the object does not exist. */
  async head(key: string): Promise<{ readonly size: number; readonly etag: string } | null> {
    const found = await this.ifExists(() => this.client.send(new HeadObjectCommand(this.at(key))));
    return found && { size: found.ContentLength ?? 0, etag: found.ETag ?? '' };
  }

  /**
   * Reads the bytes of one version of an object. If a connection breaks, another one resumes the read.
   *
   * @param etag the version; by default the present one
   * @param next lends buffers in which the bytes are gathered; by default the received chunks are returned
   * @throws an error with status 412 if the object was replaced, or 404 if it was removed
   */
  async *read(key: string, etag?: string, next?: NextBuffer): AsyncGenerator<Buffer> {
    let version = etag;
    let size = Number.POSITIVE_INFINITY;
    let failures = 0;
    for (let from = 0; from < size;) {
      const answer = await this.open(key, version, from);
      version = answer.ETag;
      size = from + Number(answer.ContentLength);
      const body = answer.Body as Readable;
      try {
        for await (const bytes of next ? inPieces(body, next) : (body as AsyncIterable<Buffer>)) {
          failures = 0;
          from += bytes.length;
          noteRead(bytes.length);
          yield bytes;
        }
      } catch (error) {
        failures += 1;
        if (failures > maxBrokenReads) throw error;
      }
    }
  }

  /** Requests an object. A range is sent for the rest only, because ranges cost a store a third more. */
  private open(key: string, version: string | undefined, from: number): Promise<ObjectAnswer> {
    return this.direct.get({
      ...this.at(key),
      ...(from > 0 && { Range: `bytes=${String(from)}-` }),
      ...(version !== undefined && { IfMatch: version }),
    });
  }

  async remove(key: string): Promise<void> {
    await this.client.send(new DeleteObjectCommand(this.at(key)));
  }

  /** Removes every object below a prefix. @param checkOwned called before each removal, and throws to end them */
  async removeAll(under: string, checkOwned: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    await forEachConcurrently(this.list(under), removalsAtOnce, async ({ key }) => {
      await checkOwned();
      await this.remove(key);
    });
  }

  /** Returns whether an object exists below a prefix. */
  async holdsAny(under: string): Promise<boolean> {
    return ((await this.page(under, { MaxKeys: 1 })).KeyCount ?? 0) > 0;
  }

  /** Lists every object below a prefix, sorted by the bytes of the keys. */
  async *list(under: string): AsyncGenerator<ListedObject> {
    for await (const { Contents = [] } of this.pages(under)) {
      for (const { Key = '', Size = 0, ETag = '', LastModified } of Contents) {
        const { text, isUtf8 } = decodeKey(Key);
        yield { key: text.slice(this.prefix.length), size: Size, etag: ETag, modifiedAt: Number(LastModified), isUtf8 };
      }
    }
  }

  /** Lists the objects and folders directly below a prefix that ends with a slash. */
  async listFolder(under: string): Promise<{ readonly objects: ListedObject[]; readonly folders: string[] }> {
    const objects: ListedObject[] = [];
    const folders: string[] = [];
    for await (const { Contents = [], CommonPrefixes = [] } of this.pages(under, '/')) {
      for (const { Key = '', Size = 0, ETag = '', LastModified } of Contents) {
        const { text, isUtf8 } = decodeKey(Key);
        const key = text.slice(this.prefix.length);
        objects.push({ key, size: Size, etag: ETag, modifiedAt: Number(LastModified), isUtf8 });
      }
      folders.push(
        ...CommonPrefixes.map(({ Prefix = '' }) => decodeKey(Prefix).text.slice(this.prefix.length + under.length, -1)),
      );
    }
    return { objects, folders };
  }

  private async *pages(under: string, delimiter?: string): AsyncGenerator<ListObjectsV2CommandOutput> {
    let token: string | undefined;
    do {
      const page = await this.page(under, {
        ...(token !== undefined && { ContinuationToken: token }),
        ...(delimiter !== undefined && { Delimiter: delimiter }),
      });
      yield page;
      token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
    } while (token !== undefined);
  }

  private page(
    under: string,
    more: { readonly ContinuationToken?: string; readonly Delimiter?: string; readonly MaxKeys?: number },
  ): Promise<ListObjectsV2CommandOutput> {
    return this.client.send(
      new ListObjectsV2Command({ Bucket: this.name, Prefix: this.prefix + under, EncodingType: 'url', ...more }),
    );
  }

  private async ifExists<T>(call: () => Promise<T>): Promise<T | null> {
    try {
      return await call();
    } catch (error) {
      if (s3StatusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket') return null;
      throw error;
    }
  }
}

/** Decodes a listed key. Lists encode keys, because XML cannot contain every character of a key. */
export function decodeKey(encoded: string): { readonly text: string; readonly isUtf8: boolean } {
  try {
    return { text: decodeURIComponent(encoded.replaceAll('+', ' ')), isUtf8: true };
  } catch {
    return { text: encoded, isUtf8: false };
  }
}

export function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
