import { createHash, type Hash } from 'node:crypto';
import type { Bucket, ListedObject } from '../../s3/bucket.js';
import { abortUpload, openUploads, type OpenUpload } from '../../s3/multipart.js';
import { isRefusedCopy } from '../../s3/object-copy.js';
import { ObjectUpload, partBytesFor } from '../../s3/object-upload.js';
import { BufferPool } from '../../concurrency/buffer-pool.js';
import { s3FailureOf } from '../../s3/s3-failure.js';
import type { NextBuffer, PinnedFile, SourceObjects } from '../../model/source-system.js';
import type { Commit, CommitDraft, FileRecord } from '../../model/commit.js';
import { fileListFile, recordFolder } from '../../model/layout.js';
import { Manifests } from '../manifests.js';
import { Attempt } from '../../model/attempt.js';
import {
  type CopyingStore,
  type FileBatch,
  type FileDigests,
  type StoredFile,
  type StreamTarget,
  type WriteOptions,
} from '../../model/workspace.js';
import { ForeignContentError, StorageFailure } from '../../model/storage-failure.js';
import type { ManifestAlgorithm } from '../../settings/manifest-algorithms.js';
import { NameSet } from './name-set.js';
import { S3Copies } from './s3-copies.js';
import type { S3Claim } from './s3-claim.js';
import { asStorageFailure, guarded } from './s3-guard.js';

/** The part size of the lists, whose length is unknown in advance: sufficient for three hundred million files. */
const listPartBytes = 8 * 1024 * 1024;

/** The record of a finished batch, in the order of its files. */
interface FinishedBatch {
  readonly sha256: readonly string[];
  readonly etags: readonly string[];
  /** The digests by further algorithms. Absent in records of earlier releases, and if there is none. */
  readonly others?: readonly Omit<FileDigests, 'sha256'>[];
}

/**
 * The staging area of an attempt in a bucket. The payload is written under its final keys, and the commit object, which
 * is written last, makes it a dataset.
 *
 * A later attempt from the same source writes the same bytes under the same keys. A later attempt from another source
 * first removes the payload. In both cases this attempt's further writes are refused.
 */
export class S3StagingArea extends Attempt {
  override readonly target: StreamTarget = { write: (file, content, more) => this.write(file, content, more) };
  override readonly store: CopyingStore;
  private readonly copies: S3Copies;
  private readonly etags = new Map<string, string>();
  /** The keys of the batches that earlier attempts have finished. */
  private finishedKeys: ReadonlySet<string> = new Set();
  private readonly written = new NameSet();
  private readonly fileList: ListUpload;
  private readonly manifests: Manifests;

  private constructor(
    private readonly bucket: Bucket,
    private readonly claim: S3Claim,
    private readonly token: string,
    private readonly uploads: Map<string, OpenUpload>,
    private readonly memory: BufferPool,
    override readonly manifestAlgorithms: readonly ManifestAlgorithm[],
  ) {
    super();
    this.store = { name: bucket.store, copyFrom: this.copyFrom.bind(this) };
    this.copies = new S3Copies(bucket, claim.trials);
    this.fileList = this.listAt(fileListFile);
    this.manifests = new Manifests(manifestAlgorithms, (path) => this.listAt(path));
  }

  /**
   * Takes over the finished files of an earlier attempt and the sent parts of its unfinished files.
   *
   * @param memory shared by all attempts
   */
  static async open(
    bucket: Bucket,
    claim: S3Claim,
    memory: BufferPool,
    {
      token,
      fingerprint,
      manifests,
    }: { readonly token: string; readonly fingerprint: string; readonly manifests: readonly ManifestAlgorithm[] },
  ): Promise<S3StagingArea> {
    await claim.acquire(token, fingerprint);
    const [started, finishedKeys] = await Promise.all([
      openUploads(bucket, claim.prefix),
      keysUnder(bucket, claim.journal),
    ]);
    const uploads = new Map<string, OpenUpload>();
    for (const upload of started) {
      if (uploads.has(upload.key) || upload.key.startsWith(`${claim.prefix}${recordFolder}/`)) {
        await abortUpload(bucket, upload);
      } else uploads.set(upload.key, upload);
    }
    const area = new S3StagingArea(bucket, claim, token, uploads, memory, manifests);
    area.finishedKeys = finishedKeys;
    return area;
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

  override findFinished(batch: FileBatch): Promise<readonly FileDigests[] | null> {
    return guarded(async () => {
      if (!this.finishedKeys.has(batch.key)) return null;
      const bytes = await this.bucket.get(this.claim.journal + batch.key);
      if (!bytes) return null;
      const { sha256, etags, others = [] } = JSON.parse(bytes.toString()) as FinishedBatch;
      const digests = sha256.map((digest, index): FileDigests => ({ ...others[index], sha256: digest }));
      const isWhole = digests.every((each) => this.manifestAlgorithms.every((name) => each[name] !== undefined));
      if (!isWhole) return null;
      this.count(batch, etags);
      return digests;
    });
  }

  override recordBatch(batch: FileBatch, digests: readonly FileDigests[]): Promise<void> {
    return guarded(async () => {
      await this.claim.assertOwned(this.token);
      const etags = batch.files.map(({ path }) => this.etags.get(path) ?? '');
      const sha256 = digests.map((each) => each.sha256);
      const others = digests.map((each) => ({ ...each, sha256: undefined }));
      const record: FinishedBatch = { sha256, etags, ...(this.manifestAlgorithms.length > 0 && { others }) };
      await this.bucket.put(this.claim.journal + batch.key, Buffer.from(JSON.stringify(record)));
      this.count(batch, etags);
      for (const { path } of batch.files) this.etags.delete(path);
    });
  }

  override list(records: readonly FileRecord[]): Promise<void> {
    return guarded(async () => {
      await this.fileList.add(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
      await this.manifests.add(records);
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
          ...(await this.manifests.finish()),
        },
      };
      await this.checkPayload();
      return (await this.claim.publish(this.token, commit)) ? commit : await this.existingCommit(commit);
    } catch (error) {
      throw asStorageFailure(error);
    }
  }

  private copyFrom(from: SourceObjects, file: PinnedFile, signal: AbortSignal): Promise<string | null> {
    const { path, size, version } = file;
    const key = this.claim.prefix + path;
    const original = { bucket: from.bucket, key: from.prefix + path, size, etag: version };
    const checkOwned = (): Promise<void> => this.claim.assertOwned(this.token);
    return guarded(async () => {
      try {
        await this.copies.copy(original, key, { checkOwned, signal, isBare: true });
      } catch (error) {
        if (isRefusedCopy(error)) return s3FailureOf(error)?.message ?? error.message;
        throw error;
      }
      const copy = await this.bucket.head(key);
      if (copy?.size !== size) throw new StorageFailure(`${key} is missing or incomplete after its copy.`, 'EIO');
      // The upload of an earlier attempt is aborted only now, because a refused copy resumes that upload.
      const previous = this.uploads.get(key);
      if (previous) await abortUpload(this.bucket, previous);
      this.uploads.delete(key);
      this.etags.set(path, copy.etag);
      return null;
    });
  }

  /**
   * Compares the stored objects with the written ones, because a foreign object would become part of the dataset. If an
   * object is missing or differs, the journal is removed, so that the next attempt writes all files again.
   */
  private async checkPayload(): Promise<void> {
    const stored = new NameSet();
    for await (const object of this.payload()) stored.add(this.pathOf(object), object.etag);
    if (stored.equals(this.written)) return;
    if (stored.count > this.written.count) throw new ForeignContentError(this.claim.prefix);
    await this.bucket.removeAll(this.claim.journal);
    throw new StorageFailure(`The objects under ${this.claim.prefix} differ from the written ones.`, 'EIO');
  }

  private count({ files }: FileBatch, etags: readonly string[]): void {
    for (const [index, { path }] of files.entries()) this.written.add(path, etags[index] ?? '');
  }

  /** Returns the commit of an earlier publication of the same import. @throws ForeignContentError for other content */
  private async existingCommit(commit: Commit): Promise<Commit> {
    const bytes = await this.bucket.get(this.claim.commit);
    const existing = bytes && (JSON.parse(bytes.toString()) as Commit);
    if (!existing) {
      throw new StorageFailure('The store refused to create the commit object, but the object does not exist.', 'EIO');
    }
    if (existing.content.list_sha256 !== commit.content.list_sha256) throw new ForeignContentError(this.claim.commit);
    return existing;
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

  /** Opens the upload of a list. It has separate memory, because a list that grows would block the files that wait for it. */
  private listAt(path: string): ListUpload {
    return new ListUpload(this.uploadOf(path, listPartBytes, new BufferPool(2 * listPartBytes)));
  }
}

/** An upload of a list that grows. */
class ListUpload {
  private readonly digest: Hash = createHash('sha256');

  constructor(private readonly upload: ObjectUpload) {}

  async add(lines: string): Promise<void> {
    const bytes = Buffer.from(lines);
    this.digest.update(bytes);
    await this.upload.write(bytes);
  }

  /** Completes the upload. @returns the hexadecimal SHA-256 of the whole list */
  async finish(): Promise<string> {
    await this.upload.finish();
    return this.digest.digest('hex');
  }
}

/** Returns the keys below a prefix, without the prefix. */
async function keysUnder(bucket: Bucket, prefix: string): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for await (const { key } of bucket.list(prefix)) keys.add(key.slice(prefix.length));
  return keys;
}
