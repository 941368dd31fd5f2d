import { createHash, type Hash } from 'node:crypto';
import type { Bucket, ListedObject } from '../../s3/bucket.js';
import { abortUpload, openUploads, type OpenUpload } from '../../s3/multipart.js';
import { ObjectUpload, partBytesFor } from '../../s3/object-upload.js';
import type { Commit, CommitDraft, FileRecord } from '../commit.js';
import { fileListFile, manifestFile, recordFolder } from '../layout.js';
import { manifestLine, parseJournal } from '../lists.js';
import { Attempt, type FinishedFile, type StoredFile } from '../storage.js';
import { ForeignContentError, StorageFailure } from '../storage-failure.js';
import { NameSet } from './name-set.js';
import type { S3Claim } from './s3-claim.js';
import { asStorageFailure, guarded } from './s3-guard.js';

/** A line of the journal: the object must still be that one. */
interface JournalEntry {
  readonly file: FinishedFile;
  readonly etag: string;
}

/**
 * An attempt that writes the payload under its final keys; what makes it a dataset is the commit object, last.
 *
 * Another attempt of the same source writes the same bytes under the same keys; of another source, it removes first what
 * this one has written, and this one is refused from then on.
 */
export class S3Attempt extends Attempt {
  override readonly target = null;
  private readonly etags = new Map<string, string>();
  private readonly listed = new NameSet();
  private readonly fileList: ListUpload;
  private readonly manifest: ListUpload;
  private notes = 0;

  private constructor(
    private readonly bucket: Bucket,
    private readonly claim: S3Claim,
    private readonly token: string,
    private readonly uploads: Map<string, OpenUpload>,
  ) {
    super();
    this.fileList = new ListUpload(this.uploadOf(fileListFile, Number.MAX_SAFE_INTEGER));
    this.manifest = new ListUpload(this.uploadOf(manifestFile, Number.MAX_SAFE_INTEGER));
  }

  /** Takes over from any earlier attempt: its finished files and, part by part, its unfinished ones. */
  static async open(bucket: Bucket, claim: S3Claim, token: string, fingerprint: string): Promise<S3Attempt> {
    await claim.take(token, fingerprint);
    const uploads = new Map<string, OpenUpload>();
    for (const upload of await openUploads(bucket, claim.place)) {
      if (uploads.has(upload.key) || upload.key.startsWith(`${claim.place}${recordFolder}/`)) {
        await abortUpload(bucket, upload);
      } else uploads.set(upload.key, upload);
    }
    return new S3Attempt(bucket, claim, token, uploads);
  }

  override async write({ path, size }: StoredFile, content: AsyncIterable<Buffer>): Promise<void> {
    const upload = this.uploadOf(path, size);
    for await (const bytes of content) await guarded(() => upload.write(bytes));
    this.etags.set(path, await guarded(() => upload.finish()));
  }

  override finished(): Promise<ReadonlyMap<string, FinishedFile>> {
    return guarded(async () => {
      const noted = new Map<string, JournalEntry>();
      for await (const { key } of this.bucket.list(this.claim.journal)) {
        const text = (await this.bucket.get(key))?.toString() ?? '';
        for (const entry of parseJournal(text) as Iterable<JournalEntry>) noted.set(entry.file.path, entry);
      }
      const finished = new Map<string, FinishedFile>();
      if (noted.size === 0) return finished;
      for await (const object of this.payload()) {
        const path = this.pathOf(object);
        const entry = noted.get(path);
        if (entry?.etag === object.etag && entry.file.size === object.size) finished.set(path, entry.file);
      }
      return finished;
    });
  }

  override noteFinished(files: readonly FinishedFile[]): Promise<void> {
    return guarded(async () => {
      if (files.length === 0) return;
      await this.claim.check(this.token);
      const lines = files.map((file) => `${JSON.stringify({ file, etag: this.etags.get(file.path) ?? '' })}\n`);
      this.notes += 1;
      await this.bucket.put(`${this.claim.journal}${this.token}-${String(this.notes)}`, Buffer.from(lines.join('')));
      for (const { path } of files) this.etags.delete(path);
    });
  }

  override list(records: readonly FileRecord[]): Promise<void> {
    for (const { path, type, size } of records) if (type === 'file') this.listed.add(path, size);
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
      await this.claim.check(this.token);
      const made = await this.bucket.create(this.claim.commit, Buffer.from(`${JSON.stringify(commit, null, 2)}\n`));
      return made === null ? await this.standing(commit) : commit;
    } catch (error) {
      throw asStorageFailure(error);
    }
  }

  override discard(): Promise<void> {
    return guarded(() => this.claim.release());
  }

  /** What is there must be what was listed: an object that somebody else has put there would become part of it. */
  private async checkPayload(): Promise<void> {
    const there = new NameSet();
    for await (const object of this.payload()) there.add(this.pathOf(object), object.size);
    if (there.equals(this.listed)) return;
    if (there.count > this.listed.count) throw new ForeignContentError(this.claim.place);
    throw new StorageFailure(`The objects under ${this.claim.place} are not those that were written.`, 'EIO');
  }

  /** What stands there already: the same import published before, or something we do not know. */
  private async standing(commit: Commit): Promise<Commit> {
    const bytes = await this.bucket.get(this.claim.commit);
    const standing = bytes && (JSON.parse(bytes.toString()) as Commit);
    if (standing?.content.list_sha256 !== commit.content.list_sha256) throw new ForeignContentError(this.claim.commit);
    return standing;
  }

  private async *payload(): AsyncGenerator<ListedObject> {
    for await (const object of this.bucket.list(this.claim.place)) {
      if (!this.pathOf(object).startsWith(`${recordFolder}/`)) yield object;
    }
  }

  private pathOf({ key }: ListedObject): string {
    return key.slice(this.claim.place.length);
  }

  private uploadOf(path: string, size: number): ObjectUpload {
    const key = this.claim.place + path;
    return new ObjectUpload(this.bucket, key, {
      partBytes: Math.max(1, Math.min(partBytesFor(size === Number.MAX_SAFE_INTEGER ? 0 : size), size)),
      former: this.uploads.get(key),
      checkOwned: () => this.claim.check(this.token),
    });
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
