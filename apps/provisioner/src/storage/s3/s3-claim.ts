import { randomUUID } from 'node:crypto';
import { failpoint } from '../../process/failpoint.js';
import type { Bucket } from '../../s3/bucket.js';
import { abortUpload, openUploads } from '../../s3/multipart.js';
import type { Subject } from '../../model/identifier.js';
import type { Commit } from '../../model/commit.js';
import type { Layout } from '../../model/layout.js';
import { ForeignContentError, WithdrawalInProgressError, SupersededError } from '../../model/storage-failure.js';

/** How long a look at who owns a subject holds while many objects are written or removed. */
const checkValidMs = 500;

/** Times an attempt tries to become the owner while others do. */
const maxTakes = 10;

/** Who works at a subject; without it, what is under the subject's keys is not ours. */
interface Owner {
  readonly token: string;
  /** Of the source that the payload comes from; null while a former payload is being removed. */
  readonly fingerprint: string | null;
  /** The withdrawal that moves the payload aside: nobody else may write or remove it meanwhile. */
  readonly withdrawal?: string;
  /** The commit that is to be, once it is decided: from then on whoever comes writes it. */
  readonly commit?: Commit;
}

/** An owner as it was seen; the ETag says whether it still is. */
export interface TaggedOwner {
  readonly owner: Owner;
  readonly etag: string;
}

/**
 * Keys of one subject, and whose turn it is to write them.
 *
 * The owner is an object that is only ever replaced by whoever has seen what it was (`If-Match`). To publish is to
 * replace it by one that holds the commit; an attempt that was superseded cannot do that any more, however late it
 * tries. The commit object itself is written after that, by the owner or, should it die, by whoever comes next.
 */
export class S3Claim {
  /** The prefix of the payload. */
  readonly prefix: string;
  /** The prefix of what is noted about finished files. */
  readonly journal: string;
  readonly commit: string;
  /** The prefix of what is nobody's and is swept. */
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
   * Makes the subject's keys this attempt's own. A payload from a source of another fingerprint is removed.
   *
   * @throws ForeignContentError when something is there that no attempt has put there; SupersededError when a
   *   publication was decided, which is completed first; HeldByWithdrawalError
   */
  async acquire(token: string, fingerprint: string): Promise<void> {
    for (let tries = 0; tries < maxTakes; tries += 1) {
      const readOrCreatable = await this.former();
      if (readOrCreatable?.owner.commit) {
        await this.complete(readOrCreatable.owner.commit);
        throw new SupersededError();
      }
      if (readOrCreatable?.owner.withdrawal !== undefined) throw new WithdrawalInProgressError(readOrCreatable.owner.withdrawal);
      const now = Date.now();
      const isSame = !readOrCreatable || readOrCreatable.owner.fingerprint === fingerprint;
      const mine: Owner = { token, fingerprint: isSame ? fingerprint : null };
      const etag = await (readOrCreatable ? this.replace(mine, readOrCreatable) : this.create(mine));
      if (etag === null) continue;
      this.checkedAt = now;
      if (isSame) return;
      await this.removePayload(token);
      if ((await this.replace({ token, fingerprint }, { owner: mine, etag })) === null) throw new SupersededError();
      return;
    }
    throw new SupersededError();
  }

  /** @throws SupersededError when another attempt has taken over, or somebody has ended the import */
  async assertOwned(token: string): Promise<void> {
    if (!(await this.isOwnedBy(token))) throw new SupersededError();
  }

  /**
   * The same, looking again after a while only, and after any halt of the process: the subject might be another's by then.
   */
  async assertOwnedRecently(token: string): Promise<void> {
    // Either way: a clock that was put back says nothing about how long ago that was.
    if (Math.abs(Date.now() - this.checkedAt) < checkValidMs) return;
    const now = Date.now();
    await this.assertOwned(token);
    this.checkedAt = now;
  }

  /**
   * Publishes, unless another attempt has taken over.
   *
   * @returns whether the commit object is this one
   * @throws SupersededError
   */
  async publish(token: string, commit: Commit): Promise<boolean> {
    const former = await this.read();
    if (former?.owner.token !== token) throw new SupersededError();
    failpoint('before_decision');
    await this.replace({ ...former.owner, commit }, former);
    failpoint('before_commit');
    // Whether it was refused only this tells: a call that was repeated because its answer was lost was refused by its own
    // first success. And somebody may have completed it since, and somebody else withdrawn it: it must not come back.
    if (!isDecidedBy(token, (await this.read())?.owner)) throw new SupersededError();
    return this.complete(commit);
  }

  /** Writes the commit object if it is decided. */
  async conclude(): Promise<void> {
    const decided = (await this.read())?.owner.commit;
    if (decided) await this.complete(decided);
  }

  /**
   * Removes what attempts have left; the payload unless it is published. Whoever still works at it is superseded first.
   *
   * @returns false where nothing was removed: a withdrawal holds it, also one that has failed, or nobody does
   */
  async discard(): Promise<boolean> {
    const former = await this.read();
    if (!former || former.owner.withdrawal !== undefined) return false;
    if (former.owner.commit) await this.complete(former.owner.commit);
    const token = `removal-${randomUUID()}`;
    if ((await this.replace({ token, fingerprint: null }, former)) === null) return false;
    if (await this.bucket.head(this.commit)) await this.removeWork(token);
    else await this.removePayload(token);
    failpoint('amid_discard');
    await this.assertOwned(token);
    await this.bucket.remove(this.owner);
    return true;
  }

  /** Whose turn it is; null when it is nobody's. */
  async read(): Promise<TaggedOwner | null> {
    const found = await this.bucket.getTagged(this.owner);
    return found && { owner: JSON.parse(found.bytes.toString()) as Owner, etag: found.etag };
  }

  /**
   * Takes the subject's keys for a withdrawal, from whoever was seen with them.
   *
   * @param seen what `read` has found, before anything was decided by what is there
   * @throws SupersededError when they are somebody else's by now
   */
  async acquireForWithdrawal(withdrawal: string, token: string, seen: TaggedOwner | null): Promise<void> {
    const owner: Owner = { token, fingerprint: null, withdrawal };
    const etag = await (seen ? this.replace(owner, seen) : this.create(owner));
    // A call that was repeated because its answer was lost has been refused by its own first success.
    if (etag === null) await this.assertOwned(token);
  }

  /** Whether the subject's keys are still this attempt's or withdrawal's. */
  async isOwnedBy(token: string): Promise<boolean> {
    return (await this.read())?.owner.token === token;
  }

  /** Ends what `hold` began. Harmless when somebody else is the owner by now. */
  async release(token: string): Promise<void> {
    if (await this.isOwnedBy(token)) await this.bucket.remove(this.owner);
  }

  private async complete(commit: Commit): Promise<boolean> {
    const made = await this.bucket.create(this.commit, Buffer.from(`${JSON.stringify(commit, null, 2)}\n`));
    failpoint('after_commit');
    return made !== null;
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

  /** Who is the owner; asked together with what decides where there is none, for both take their time. */
  private async former(): Promise<TaggedOwner | null> {
    const [seen, holdsAny] = await Promise.all([this.read(), this.bucket.holdsAny(this.prefix)]);
    return seen ?? (holdsAny ? this.first() : null);
  }

  /** No owner: nothing may be there, unless somebody became the owner meanwhile. */
  private async first(): Promise<TaggedOwner | null> {
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
