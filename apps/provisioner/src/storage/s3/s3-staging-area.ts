import { createHash, type Hash } from 'node:crypto';
import type { Bucket, ListedObject } from '../../s3/bucket.js';
import { abortUpload, openUploads, type OpenUpload } from '../../s3/multipart.js';
import { isRefusedCopy } from '../../s3/object-copy.js';
import { ObjectUpload, partBytesFor } from '../../s3/object-upload.js';
import { BufferPool } from '../../concurrency/part-memory.js';
import { s3FailureOf } from '../../s3/s3-failure.js';
import type { NextBuffer, PinnedFile, SourceObjects } from '../../model/source-system.js';
import type { Commit, CommitDraft, FileRecord } from '../../model/commit.js';
import { fileListFile, manifestFile, recordFolder } from '../../model/layout.js';
import { manifestLine } from '../lists.js';
import {
  Attempt,
  type CopyingStore,
  type FileBatch,
  type StoredFile,
  type StreamTarget,
  type WriteOptions,
} from '../../model/storage.js';
import { ForeignContentError, StorageFailure } from '../../model/storage-failure.js';
import { NameSet } from './name-set.js';
import { S3Copies } from './s3-copies.js';
import type { S3Claim } from './s3-claim.js';
import { asStorageFailure, guarded } from './s3-guard.js';

/** Of the lists, whose length nobody knows beforehand: enough for those of three hundred million files. */
const listPartBytes = 8 * 1024 * 1024;

/** What is noted of a finished batch, in the order of its files. */
interface FinishedBatch {
  readonly sha256: readonly string[];
  readonly etags: readonly string[];
}

/**
 * An attempt that writes the payload under its final keys; what makes it a dataset is the commit object, last.
 *
 * Another attempt of the same source writes the same bytes under the same keys; of another source, it removes first what
 * this one has written, and this one is refused from then on.
 */
export class S3Attempt extends Attempt {
  override readonly target: StreamTarget = { write: (file, content, more) => this.write(file, content, more) };
  override readonly store: CopyingStore;
  private readonly copies: S3Copies;
  private readonly etags = new Map<string, string>();
  /** Keys of the batches that earlier attempts have noted. */
  private noted: ReadonlySet<string> = new Set();
  private readonly written = new NameSet();
  private readonly fileList: ListUpload;
  private readonly manifest: ListUpload;

  private constructor(
    private readonly bucket: Bucket,
    private readonly claim: S3Claim,
    private readonly token: string,
    private readonly uploads: Map<string, OpenUpload>,
    private readonly memory: BufferPool,
  ) {
    super();
    this.store = { name: bucket.store, copyFrom: this.copyFrom.bind(this) };
    this.copies = new S3Copies(bucket, claim.trials);
    this.fileList = this.listAt(fileListFile);
    this.manifest = this.listAt(manifestFile);
  }

  /**
   * Takes over from any earlier attempt: its finished files and, part by part, its unfinished ones.
   *
   * @param memory of all attempts together
   */
  static async open(
    bucket: Bucket,
    claim: S3Claim,
    memory: BufferPool,
    token: string,
    fingerprint: string,
  ): Promise<S3Attempt> {
    await claim.acquire(token, fingerprint);
    const [begun, noted] = await Promise.all([openUploads(bucket, claim.prefix), keysUnder(bucket, claim.journal)]);
    const uploads = new Map<string, OpenUpload>();
    for (const upload of begun) {
      if (uploads.has(upload.key) || upload.key.startsWith(`${claim.prefix}${recordFolder}/`)) {
        await abortUpload(bucket, upload);
      } else uploads.set(upload.key, upload);
    }
    const attempt = new S3Attempt(bucket, claim, token, uploads, memory);
    attempt.noted = noted;
    return attempt;
  }

  private async write(
    { path, size }: StoredFile,
    content: AsyncIterable<Buffer>,
    { onResumed, sha256 }: WriteOptions = {},
  ): Promise<void> {
    const partBytes = Math.max(1, Math.min(partBytesFor(size), size));
    const upload = this.uploadOf(path, partBytes, this.memory, onResumed);
    try {
      for await (const bytes of content) await guarded(() => upload.write(bytes));
      await guarded(() => this.claim.assertOwnedRecently(this.token));
      this.etags.set(path, await guarded(() => upload.finish(sha256?.())));
    } finally {
      upload.release();
    }
  }

  override async *read(path: string, next?: NextBuffer): AsyncGenerator<Buffer> {
    try {
      yield* this.bucket.read(this.claim.prefix + path, this.etags.get(path), next);
    } catch (error) {
      throw asStorageFailure(error);
    }
  }

  override findFinished(batch: FileBatch): Promise<readonly string[] | null> {
    return guarded(async () => {
      if (!this.noted.has(batch.key)) return null;
      const bytes = await this.bucket.get(this.claim.journal + batch.key);
      if (!bytes) return null;
      const { sha256, etags } = JSON.parse(bytes.toString()) as FinishedBatch;
      this.count(batch, etags);
      return sha256;
    });
  }

  override recordBatch(batch: FileBatch, sha256: readonly string[]): Promise<void> {
    return guarded(async () => {
      await this.claim.assertOwned(this.token);
      const etags = batch.files.map(({ path }) => this.etags.get(path) ?? '');
      const note: FinishedBatch = { sha256, etags };
      await this.bucket.put(this.claim.journal + batch.key, Buffer.from(JSON.stringify(note)));
      this.count(batch, etags);
      for (const { path } of batch.files) this.etags.delete(path);
    });
  }

  override list(records: readonly FileRecord[]): Promise<void> {
    return guarded(async () => {
      await this.fileList.add(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
      await this.manifest.add(records.map(manifestLine).join(''));
    });
  }

  override async publish(draft: CommitDraft): Promise<Commit> {
    try {
      const commit: Commit = {
        schema: 'provisioner-commit/1',
        ...draft,
        content: {
          ...draft.content,
          list_sha256: await this.fileList.finish(),
          manifest_sha256: await this.manifest.finish(),
        },
      };
      await this.checkPayload();
      return (await this.claim.publish(this.token, commit)) ? commit : await this.standing(commit);
    } catch (error) {
      throw asStorageFailure(error);
    }
  }

  private copyFrom(from: SourceObjects, file: PinnedFile, signal: AbortSignal): Promise<string | null> {
    const { path, size, version } = file;
    const key = this.claim.prefix + path;
    const seen = { bucket: from.bucket, key: from.prefix + path, size, etag: version };
    const checkOwned = (): Promise<void> => this.claim.assertOwned(this.token);
    return guarded(async () => {
      try {
        await this.copies.copy(seen, key, { checkOwned, signal, isBare: true });
      } catch (error) {
        if (isRefusedCopy(error)) return s3FailureOf(error)?.message ?? error.message;
        throw error;
      }
      const made = await this.bucket.head(key);
      if (made?.size !== size) throw new StorageFailure(`${key} is not there whole after it was copied.`, 'EIO');
      // Kept until here: where the store refuses, what an earlier attempt has sent of the file is gone on with.
      const former = this.uploads.get(key);
      if (former) await abortUpload(this.bucket, former);
      this.uploads.delete(key);
      this.etags.set(path, made.etag);
      return null;
    });
  }

  /**
   * What is there must be what was written: an object that somebody else has put there would become part of it. Where
   * one is missing or another, what was noted is believed no more, and the next attempt writes all of it anew.
   */
  private async checkPayload(): Promise<void> {
    const there = new NameSet();
    for await (const object of this.payload()) there.add(this.pathOf(object), object.etag);
    if (there.equals(this.written)) return;
    if (there.count > this.written.count) throw new ForeignContentError(this.claim.prefix);
    await this.bucket.removeAll(this.claim.journal);
    throw new StorageFailure(`The objects under ${this.claim.prefix} are not those that were written.`, 'EIO');
  }

  private count({ files }: FileBatch, etags: readonly string[]): void {
    for (const [index, { path }] of files.entries()) this.written.add(path, etags[index] ?? '');
  }

  /** What stands there already: the same import published before, or something we do not know. */
  private async standing(commit: Commit): Promise<Commit> {
    const bytes = await this.bucket.get(this.claim.commit);
    const standing = bytes && (JSON.parse(bytes.toString()) as Commit);
    if (!standing) throw new StorageFailure('The store says that the commit object is there, and it is not.', 'EIO');
    if (standing.content.list_sha256 !== commit.content.list_sha256) throw new ForeignContentError(this.claim.commit);
    return standing;
  }

  private async *payload(): AsyncGenerator<ListedObject> {
    for await (const object of this.bucket.list(this.claim.prefix)) {
      if (!this.pathOf(object).startsWith(`${recordFolder}/`)) yield object;
    }
  }

  private pathOf({ key }: ListedObject): string {
    return key.slice(this.claim.prefix.length);
  }

  private uploadOf(
    path: string,
    partBytes: number,
    memory: BufferPool,
    onResumed?: (bytes: number) => void,
  ): ObjectUpload {
    const key = this.claim.prefix + path;
    const checkOwned = (): Promise<void> => this.claim.assertOwned(this.token);
    const former = this.uploads.get(key);
    return new ObjectUpload(this.bucket, key, { partBytes, memory, former, checkOwned, onResumed });
  }

  /** Lists grow while files are copied, and would hold what those wait for: each has memory of its own. */
  private listAt(path: string): ListUpload {
    return new ListUpload(this.uploadOf(path, listPartBytes, new BufferPool(2 * listPartBytes)));
  }
}

/** A list that is sent while it grows. */
class ListUpload {
  private readonly digest: Hash = createHash('sha256');

  constructor(private readonly upload: ObjectUpload) {}

  async add(lines: string): Promise<void> {
    const bytes = Buffer.from(lines);
    this.digest.update(bytes);
    await this.upload.write(bytes);
  }

  /** @returns the SHA-256 of the whole, hexadecimal */
  async finish(): Promise<string> {
    await this.upload.finish();
    return this.digest.digest('hex');
  }
}

/** The last parts of the keys below a prefix. */
async function keysUnder(bucket: Bucket, under: string): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for await (const { key } of bucket.list(under)) keys.add(key.slice(under.length));
  return keys;
}
