import { randomUUID } from 'node:crypto';
import { forEachConcurrently } from '../../concurrency/call-for-each.js';
import type { Bucket, ListedObject } from '../../s3/bucket.js';
import { abortUpload, openUploads } from '../../s3/multipart.js';
import { copyObject } from '../../s3/object-copy.js';
import type { Commit } from '../../model/commit.js';
import { commitFile } from '../../model/layout.js';
import { NothingToWithdrawError, SupersededError } from '../../model/storage-failure.js';
import type { S3Claim, TaggedOwner } from './s3-claim.js';

/** Objects on their way at once. */
const copiesAtOnce = 16;

/**
 * Moves one imported subject aside within the bucket. It is out of sight once its commit object is gone; the payload
 * follows, each object removed only after all are copied. Every step may be repeated, by another process too: each
 * start takes the subject's keys from the one before, which is refused from then on.
 */
export class S3Withdrawal {
  private readonly commitAside: string;
  private readonly token: string;

  /**
   * @param aside the prefix it is moved to, with its last slash
   * @param id of the withdrawal, the same at each start of it
   */
  constructor(
    private readonly bucket: Bucket,
    private readonly claim: S3Claim,
    private readonly aside: string,
    private readonly id: string,
  ) {
    this.commitAside = `${aside}${commitFile}`;
    this.token = `${id}-${randomUUID()}`;
  }

  /**
   * @throws NothingToWithdrawError when another import has made what stands there, or nothing does; SupersededError
   *   when somebody else works at the subject
   */
  async run(importId: string): Promise<Commit> {
    const commit = await this.hide(importId);
    if (!(await this.claim.isOwnedBy(this.token))) return commit;
    for (const upload of await openUploads(this.bucket, this.aside)) await abortUpload(this.bucket, upload);
    await this.each((object) => this.copy(object));
    await this.each(async ({ key }) => {
      await this.claim.assertOwned(this.token);
      await this.bucket.remove(key);
    });
    await this.claim.release(this.token);
    return commit;
  }

  /**
   * Whose turn it is was looked at before what is there, and what is there is looked at again once it is ours: between,
   * another start of the same withdrawal may have ended it, and an import may have come after that.
   *
   * @returns the commit that is aside now
   */
  private async hide(importId: string): Promise<Commit> {
    const seen = await this.claim.read();
    if (!(await this.publishedBy(importId))) return this.hidden(seen);
    await this.claim.acquireForWithdrawal(this.id, this.token, seen);
    const commit = await this.publishedBy(importId);
    if (!commit) {
      await this.claim.release(this.token);
      throw new SupersededError();
    }
    await this.bucket.put(this.commitAside, commit);
    await this.claim.assertOwned(this.token);
    await this.bucket.remove(this.claim.commit);
    return parse(commit);
  }

  /** An earlier start has hidden it; what it has not moved yet is this one's to move. */
  private async hidden(seen: TaggedOwner | null): Promise<Commit> {
    const commit = await this.bucket.get(this.commitAside);
    if (seen?.owner.withdrawal === this.id) await this.claim.acquireForWithdrawal(this.id, this.token, seen);
    if (commit) return parse(commit);
    await this.claim.release(this.token);
    throw new NothingToWithdrawError(this.claim.subject.id);
  }

  /** The commit object, if that import has made it. */
  private async publishedBy(importId: string): Promise<Buffer | null> {
    const bytes = await this.bucket.get(this.claim.commit);
    return bytes && parse(bytes).import_id === importId ? bytes : null;
  }

  private async copy(object: ListedObject): Promise<void> {
    const to = this.aside + object.key.slice(this.claim.prefix.length);
    if ((await this.bucket.head(to))?.size === object.size) return;
    await this.claim.assertOwned(this.token);
    await copyObject(this.bucket, { ...object, bucket: this.bucket.name, key: this.bucket.prefix + object.key }, to);
  }

  /** Calls for every object of the payload, for some at once. */
  private each(call: (object: ListedObject) => Promise<void>): Promise<void> {
    return forEachConcurrently(this.bucket.list(this.claim.prefix), copiesAtOnce, call);
  }
}

function parse(bytes: Buffer): Commit {
  return JSON.parse(bytes.toString()) as Commit;
}
