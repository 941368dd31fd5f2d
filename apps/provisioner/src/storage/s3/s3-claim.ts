import { randomUUID } from 'node:crypto';
import { failpoint } from '../../process/failpoint.js';
import type { Bucket } from '../../s3/bucket.js';
import { abortUpload, openUploads } from '../../s3/multipart.js';
import type { Subject } from '../../model/identifier.js';
import type { Commit } from '../../model/commit.js';
import type { Layout } from '../../model/layout.js';
import { ForeignContentError, WithdrawalInProgressError, SupersededError } from '../../model/storage-failure.js';

/** The validity in milliseconds of an ownership check while many objects are written or removed. */
const checkValidMs = 500;

/** Times that an attempt tries to become the owner while other processes do. */
const maxTries = 10;

/** The process that owns a subject's keys. Without an owner, objects under the keys are foreign. */
interface Owner {
  readonly token: string;
  /** The fingerprint of the payload's source; null while a previous payload is being removed. */
  readonly fingerprint: string | null;
  /** The withdrawal that moves the payload. In the meantime no other process may write or remove the payload. */
  readonly withdrawal?: string;
  /** The commit, once the publication is decided. From then on every process may write the commit object. */
  readonly commit?: Commit;
}

/** An owner with the ETag of its object. */
export interface TaggedOwner {
  readonly owner: Owner;
  readonly etag: string;
}

/**
 * The keys of one subject and their ownership.
 *
 * The owner is an object that is replaced only with `If-Match`. A publication replaces it with an owner that contains the
 * commit, which a superseded attempt cannot do, however late it tries. The commit object is written after that, by the
 * owner or, if the owner's process dies, by the next process.
 */
export class S3Claim {
  /** The prefix of the payload. */
  readonly prefix: string;
  /** The prefix of the records of finished batches. */
  readonly journal: string;
  readonly commit: string;
  /** The prefix of temporary objects, which a sweep removes. */
  readonly trials: string;
  private readonly owner: string;
  private checkedAt = 0;

  constructor(
    private readonly bucket: Bucket,
    layout: Layout,
    readonly subject: Subject,
  ) {
    this.prefix = `${layout.pathOf(subject)}/`;
    this.journal = `${layout.staging(subject)}/finished/`;
    this.owner = `${layout.staging(subject)}/owner.json`;
    this.trials = `${layout.probes}/`;
    this.commit = `${layout.commits(subject.kind)}/${subject.id}.json`;
  }

  /**
   * Acquires the ownership for an attempt. A payload from a source with another fingerprint is removed.
   *
   * @throws ForeignContentError if the keys contain objects that no attempt has written
   * @throws SupersededError if a publication was decided; the publication is completed first
   * @throws WithdrawalInProgressError if a withdrawal owns the subject
   */
  async acquire(token: string, fingerprint: string): Promise<void> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const previous = await this.readOrCheckEmpty();
      if (previous?.owner.commit) {
        await this.complete(previous.owner.commit);
        throw new SupersededError();
      }
      if (previous?.owner.withdrawal !== undefined) throw new WithdrawalInProgressError(previous.owner.withdrawal);
      const now = Date.now();
      const isSame = !previous || previous.owner.fingerprint === fingerprint;
      const owner: Owner = { token, fingerprint: isSame ? fingerprint : null };
      const etag = await (previous ? this.replace(owner, previous) : this.create(owner));
      if (etag === null) continue;
      this.checkedAt = now;
      if (isSame) return;
      await this.removePayload(token);
      if ((await this.replace({ token, fingerprint }, { owner, etag })) === null) throw new SupersededError();
      return;
    }
    throw new SupersededError();
  }

  /** Checks the ownership. @throws SupersededError if another process has taken over or removed the owner */
  async assertOwned(token: string): Promise<void> {
    if (!(await this.isOwnedBy(token))) throw new SupersededError();
  }

  /** Checks the ownership unless the last check is recent. @throws SupersededError if the token no longer owns the keys */
  async assertOwnedRecently(token: string): Promise<void> {
    // The difference is negative if the clock was set back.
    if (Math.abs(Date.now() - this.checkedAt) < checkValidMs) return;
    const now = Date.now();
    await this.assertOwned(token);
    this.checkedAt = now;
  }

  /**
   * Publishes the commit.
   *
   * @returns whether this call created the commit object
   * @throws SupersededError if another process has taken over
   */
  async publish(token: string, commit: Commit): Promise<boolean> {
    const current = await this.read();
    if (current?.owner.token !== token) throw new SupersededError();
    failpoint('before_decision');
    await this.replace({ ...current.owner, commit }, current);
    failpoint('before_commit');
    // The result of the replacement is not conclusive: if its response was lost, the repeated call was refused because
    // the first call had succeeded. Another process may also have completed the publication and withdrawn the subject.
    if (!isDecidedBy(token, (await this.read())?.owner)) throw new SupersededError();
    return this.complete(commit);
  }

  /** Writes the commit object if the publication is decided. */
  async conclude(): Promise<void> {
    const commit = (await this.read())?.owner.commit;
    if (commit) await this.complete(commit);
  }

  /**
   * Supersedes a running attempt and removes the leftovers of attempts. A published payload is kept.
   *
   * @returns false if nothing was removed, because a withdrawal owns the subject or no process does
   */
  async discard(): Promise<boolean> {
    const previous = await this.read();
    if (!previous || previous.owner.withdrawal !== undefined) return false;
    if (previous.owner.commit) await this.complete(previous.owner.commit);
    const token = `removal-${randomUUID()}`;
    if ((await this.replace({ token, fingerprint: null }, previous)) === null) return false;
    if (await this.bucket.head(this.commit)) await this.removeWork(token);
    else await this.removePayload(token);
    failpoint('amid_discard');
    await this.assertOwned(token);
    await this.bucket.remove(this.owner);
    return true;
  }

  /** Reads the owner. @returns null if the subject has no owner */
  async read(): Promise<TaggedOwner | null> {
    const object = await this.bucket.getTagged(this.owner);
    return object && { owner: JSON.parse(object.bytes.toString()) as Owner, etag: object.etag };
  }

  /**
   * Acquires the ownership for a withdrawal.
   *
   * @param previous the result of `read`, from before the caller inspected the subject
   * @throws SupersededError if the owner has changed since `previous` was read
   */
  async acquireForWithdrawal(withdrawal: string, token: string, previous: TaggedOwner | null): Promise<void> {
    const owner: Owner = { token, fingerprint: null, withdrawal };
    const etag = await (previous ? this.replace(owner, previous) : this.create(owner));
    // If the response of a successful call was lost, the repeated call is refused although the token is the owner.
    if (etag === null) await this.assertOwned(token);
  }

  /** Returns whether the token owns the subject's keys. */
  async isOwnedBy(token: string): Promise<boolean> {
    return (await this.read())?.owner.token === token;
  }

  /** Removes the owner unless another process has taken over. */
  async release(token: string): Promise<void> {
    if (await this.isOwnedBy(token)) await this.bucket.remove(this.owner);
  }

  private async complete(commit: Commit): Promise<boolean> {
    const etag = await this.bucket.create(this.commit, Buffer.from(`${JSON.stringify(commit, null, 2)}\n`));
    failpoint('after_commit');
    return etag !== null;
  }

  private async removePayload(token: string): Promise<void> {
    await this.removeWork(token);
    await this.bucket.removeAll(this.prefix, () => this.assertOwnedRecently(token));
  }

  private async removeWork(token: string): Promise<void> {
    const abortAll = async (): Promise<void> => {
      for (const upload of await openUploads(this.bucket, this.prefix)) await abortUpload(this.bucket, upload);
    };
    await Promise.all([abortAll(), this.bucket.removeAll(this.journal, () => this.assertOwnedRecently(token))]);
  }

  /** Reads the owner and, concurrently, checks that the payload is empty if there is no owner. */
  private async readOrCheckEmpty(): Promise<TaggedOwner | null> {
    const [current, holdsAny] = await Promise.all([this.read(), this.bucket.holdsAny(this.prefix)]);
    return current ?? (holdsAny ? this.readAgain() : null);
  }

  /** Reads the owner of a payload that had none. @throws ForeignContentError if no process became the owner since */
  private async readAgain(): Promise<TaggedOwner | null> {
    if (!(await this.bucket.holdsAny(this.prefix))) return null;
    const owner = await this.read();
    if (!owner) throw new ForeignContentError(this.prefix);
    return owner;
  }

  private create(owner: Owner): Promise<string | null> {
    return this.bucket.create(this.owner, Buffer.from(JSON.stringify(owner)));
  }

  private replace(owner: Owner, { etag }: TaggedOwner): Promise<string | null> {
    return this.bucket.replace(this.owner, Buffer.from(JSON.stringify(owner)), etag);
  }
}

function isDecidedBy(token: string, owner: Owner | undefined): boolean {
  return owner?.token === token && owner.commit !== undefined;
}
