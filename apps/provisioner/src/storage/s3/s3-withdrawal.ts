import { randomUUID } from 'node:crypto';
import { forEachConcurrently } from '../../concurrency/for-each-concurrently.js';
import type { Bucket, ListedObject } from '../../s3/bucket.js';
import { abortUpload, openUploads } from '../../s3/multipart.js';
import { copyObject } from '../../s3/object-copy.js';
import type { Commit } from '../../model/commit.js';
import { commitFile } from '../../model/layout.js';
import { NothingToWithdrawError, SupersededError } from '../../model/storage-failure.js';
import type { S3Claim, TaggedOwner } from './s3-claim.js';

/** Objects to copy or remove concurrently. */
const copiesAtOnce = 16;

/**
 * A withdrawal of an imported subject within its bucket. The removal of the commit object hides the subject. Then all
 * objects of the payload are copied, and only after the last copy removed. Every process may repeat the withdrawal: each
 * start takes the ownership from the previous start, whose writes are refused from then on.
 */
export class S3Withdrawal {
  private readonly commitAside: string;
  private readonly token: string;

  /**
   * @param aside the prefix of the withdrawn subject, with the final slash
   * @param id of the withdrawal, the same at each start
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
   * Runs the withdrawal, or resumes it after a crash.
   *
   * @throws NothingToWithdrawError if the subject is not imported, or another import has published it
   * @throws SupersededError if another process owns the subject
   */
  async run(importId: string): Promise<Commit> {
    const commit = await this.hide(importId);
    if (!(await this.claim.isOwnedBy(this.token))) return commit;
    for (const upload of await openUploads(this.bucket, this.aside)) await abortUpload(this.bucket, upload);
    await this.forEachObject((object) => this.copy(object));
    await this.forEachObject(async ({ key }) => {
      await this.claim.assertOwned(this.token);
      await this.bucket.remove(key);
    });
    await this.claim.release(this.token);
    return commit;
  }

  /**
   * Hides the subject. The owner is read before the commit object, and the commit object is read again after the
   * ownership is acquired: in between, another start of the withdrawal may have ended, followed by a new import.
   *
   * @returns the withdrawn commit
   */
  private async hide(importId: string): Promise<Commit> {
    const current = await this.claim.read();
    if (!(await this.publishedBy(importId))) return this.resume(current);
    await this.claim.acquireForWithdrawal(this.id, this.token, current);
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

  /** Takes over from an earlier start, which has hidden the subject. @returns the withdrawn commit */
  private async resume(current: TaggedOwner | null): Promise<Commit> {
    const commit = await this.bucket.get(this.commitAside);
    if (current?.owner.withdrawal === this.id) await this.claim.acquireForWithdrawal(this.id, this.token, current);
    if (commit) return parse(commit);
    await this.claim.release(this.token);
    throw new NothingToWithdrawError(this.claim.subject.id);
  }

  /** Returns the commit object if the import has published it, else null. */
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

  /** Runs a call for every object of the payload, several at a time. */
  private forEachObject(call: (object: ListedObject) => Promise<void>): Promise<void> {
    return forEachConcurrently(this.bucket.list(this.claim.prefix), copiesAtOnce, call);
  }
}

function parse(bytes: Buffer): Commit {
  return JSON.parse(bytes.toString()) as Commit;
}
