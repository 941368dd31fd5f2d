import { createHash, randomUUID } from 'node:crypto';
import { relative } from 'node:path';
import { Readable } from 'node:stream';
import type { Bucket } from '../../s3/bucket.js';
import { abortUpload, openUploads } from '../../s3/multipart.js';
import { minPartBytes } from '../../s3/object-upload.js';
import { BufferPool } from '../../concurrency/buffer-pool.js';
import type { Subject, SubjectKind } from '../../model/identifier.js';
import type { Problem } from '../../model/problem.js';
import type { SourceEntry } from '../../model/source-system.js';
import { headOf, parseCommit, type Commit, type CommitHead, type CommitHeads } from '../../model/commit.js';
import { RecordIndex } from '../../model/record-index.js';
import { fileListFile, Layout, manifestOf, recordFolder } from '../../model/layout.js';
import type { Leftover } from '../../model/leftover.js';
import {
  Storage,
  type FreeSpace,
  type ImportedCaseVariant,
  type StoredEntry,
  type WithdrawalResult,
} from '../../model/storage.js';
import type { ManifestAlgorithm } from '../../settings/manifest-algorithms.js';
import { CaseCollisionGuard } from '../case-collision-guard.js';
import { S3StagingArea } from './s3-staging-area.js';
import { S3Claim } from './s3-claim.js';
import { asStorageFailure, guarded } from './s3-guard.js';
import { s3Leftovers } from './s3-leftovers.js';
import { S3Records } from './s3-records.js';
import { probeStore } from './s3-probe.js';
import { S3Withdrawal } from './s3-withdrawal.js';

/** The longest key that stores accept, in bytes of UTF-8. */
const maxKeyBytes = 1024;

/** The memory for the parts of all files that are being sent. */
const partMemoryBytes = 6 * minPartBytes;

/** Storage in a bucket of an S3-compatible store. */
export class S3Storage extends Storage {
  private readonly layout = new Layout('');
  private readonly memory = new BufferPool(partMemoryBytes);
  private readonly indices: Readonly<Record<SubjectKind, RecordIndex<CommitHead>>>;
  private readonly caseGuard: CaseCollisionGuard;

  constructor(private readonly bucket: Bucket) {
    super();
    const records = new S3Records(bucket);
    const indexOf = (kind: SubjectKind): RecordIndex<CommitHead> =>
      new RecordIndex(records, relative(this.layout.data, this.layout.commits(kind)), parseHead, ({ id }) => id);
    this.indices = { dataset: indexOf('dataset'), submission: indexOf('submission') };
    this.caseGuard = new CaseCollisionGuard(records, {
      commitAt: (subject) => this.findCommit(subject),
      headsLastRead: (kind) => this.indices[kind].lastRead,
      pathOf: (subject) => this.layout.displayPathOf(subject),
    });
  }

  override probe(): Promise<void> {
    return guarded(() => probeStore(this.bucket, this.layout.probes));
  }

  override async ping(): Promise<void> {
    await guarded(() => this.bucket.holdsAny(this.layout.requests));
  }

  override async tryWriting(): Promise<void> {
    const key = `${this.layout.probes}/${randomUUID()}`;
    await guarded(async () => {
      await this.bucket.put(key, Buffer.from('written'));
      await this.bucket.remove(key);
    });
  }

  override refusalOf(subject: Subject, { path, type }: Pick<SourceEntry, 'path' | 'type'>): Problem | undefined {
    if (type === 'symlink')
      return { code: 'file.symlink', path, message: 'A bucket cannot store symbolic links. Deliver a file instead.' };
    const length = Buffer.byteLength(`${this.bucket.prefix}${this.layout.pathOf(subject)}/${path}`);
    if (length <= maxKeyBytes) return undefined;
    const message = `The path is too long: its key has ${String(length)} bytes, and stores allow ${String(maxKeyBytes)}. Shorten the names.`;
    return { code: 'name.too_long', path, message };
  }

  override commits(kind: SubjectKind): Promise<CommitHeads> {
    return this.indices[kind].all();
  }

  override findCommit(subject: Subject): Promise<Commit | null> {
    return guarded(async () => {
      const bytes = await this.bucket.get(this.claim(subject).commit);
      return bytes && parseCommit(bytes.toString());
    });
  }

  override findCaseVariant(subject: Subject): Promise<ImportedCaseVariant | null> {
    return this.caseGuard.findCaseVariant(subject);
  }

  override pathOf(subject: Subject): string {
    return this.layout.displayPathOf(subject);
  }

  override openList(subject: Subject, list: 'ndjson' | ManifestAlgorithm): Readable {
    return this.openFile(subject, list === 'ndjson' ? fileListFile : manifestOf(list));
  }

  override async digestOfManifest(
    subject: Subject,
    algorithm: ManifestAlgorithm,
    signal: AbortSignal,
  ): Promise<string> {
    const hash = createHash('sha256');
    for await (const bytes of this.openList(subject, algorithm) as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      hash.update(bytes);
    }
    return hash.digest('hex');
  }

  override async *entriesOf(subject: Subject): AsyncGenerator<StoredEntry> {
    const { prefix } = this.claim(subject);
    try {
      for await (const { key } of this.bucket.list(prefix)) {
        const path = key.slice(prefix.length);
        if (!path.startsWith(`${recordFolder}/`)) yield { path, type: 'file' };
      }
    } catch (error) {
      throw asStorageFailure(error);
    }
  }

  override folderOf(): null {
    return null;
  }

  override openFile(subject: Subject, path: string): Readable {
    return Readable.from(this.read(this.claim(subject).prefix + path), { objectMode: false });
  }

  override async writeDocument(collection: Subject, name: string, text: string): Promise<void> {
    const { prefix, commit } = this.claim(collection);
    await guarded(async () => {
      if (await this.bucket.head(commit)) await this.bucket.put(prefix + name, Buffer.from(text));
    });
  }

  /** Stores do not report their quota. A full store fails the next write. */
  override freeSpace(): Promise<FreeSpace> {
    const unknown = Number.POSITIVE_INFINITY;
    return Promise.resolve({ bytes: unknown, capacity: unknown, files: unknown });
  }

  override stagedSize(): Promise<null> {
    return Promise.resolve(null);
  }

  override openAttempt(
    subject: Subject,
    token: string,
    fingerprint: string,
    manifests: readonly ManifestAlgorithm[] = [],
  ): Promise<S3StagingArea> {
    return guarded(async () => {
      await this.caseGuard.admit(subject);
      return S3StagingArea.open(this.bucket, this.claim(subject), this.memory, { token, fingerprint, manifests });
    });
  }

  /** A commit object is atomic and durable. After the decision to publish, it may still have to be written. */
  /** Finds none: one worker copies a dataset into a bucket. */
  override claimShard(): Promise<null> {
    return Promise.resolve(null);
  }

  override async completePublication(subject: Subject): Promise<Commit | null> {
    await guarded(() => this.claim(subject).conclude());
    return this.findCommit(subject);
  }

  override withdraw(subject: Subject, importId: string, token: string): Promise<WithdrawalResult> {
    const aside = `${this.layout.withdrawnPathOf(subject, token)}/`;
    return guarded(async () => ({
      path: this.layout.withdrawnDisplayPathOf(subject, token),
      commit: await new S3Withdrawal(this.bucket, this.claim(subject), aside, token).run(importId),
    }));
  }

  override async purge(subject: Subject, token: string): Promise<void> {
    const aside = `${this.layout.withdrawnPathOf(subject, token)}/`;
    await guarded(async () => {
      for (const upload of await openUploads(this.bucket, aside)) await abortUpload(this.bucket, upload);
      await this.bucket.removeAll(aside);
    });
  }

  override leftovers(): AsyncIterable<Leftover> {
    return s3Leftovers(this.bucket, this.layout, (subject) => guarded(() => this.claim(subject).discard()));
  }

  override async discard(subject: Subject): Promise<void> {
    await guarded(() => this.claim(subject).discard());
  }

  private claim(subject: Subject): S3Claim {
    return new S3Claim(this.bucket, this.layout, subject);
  }

  private async *read(key: string): AsyncGenerator<Buffer> {
    try {
      yield* this.bucket.read(key);
    } catch (error) {
      throw asStorageFailure(error);
    }
  }
}

function parseHead(text: string): CommitHead | null {
  const commit = parseCommit(text);
  return commit && headOf(commit);
}
