import type { Bucket, ListedObject } from '../../s3/bucket.js';
import { abortUpload, openUploads } from '../../s3/multipart.js';
import { copyObject } from '../../s3/object-copy.js';
import type { Commit } from '../commit.js';
import { commitFile } from '../layout.js';
import { NothingToWithdrawError } from '../storage-failure.js';
import type { S3Claim } from './s3-claim.js';

/** Objects on their way at once. */
const copiesAtOnce = 16;

/**
 * Moves one imported subject aside within the bucket. It is out of sight once its commit object is gone; the payload
 * follows, each object removed only after all are copied. Every step may be repeated.
 */
export class S3Withdrawal {
  private readonly commitAside: string;

  /**
   * @param aside the prefix it is moved to, with its last slash
   * @param token unique to the withdrawal
   */
  constructor(
    private readonly bucket: Bucket,
    private readonly claim: S3Claim,
    private readonly aside: string,
    private readonly token: string,
  ) {
    this.commitAside = `${aside}${commitFile}`;
  }

  /** @throws NothingToWithdrawError when another import has made what stands there, or nothing does */
  async run(importId: string): Promise<Commit> {
    const commit = await this.hide(importId);
    if (!(await this.claim.isHeldBy(this.token))) return commit;
    for (const upload of await openUploads(this.bucket, this.aside)) await abortUpload(this.bucket, upload);
    await this.each((object) => this.copy(object));
    await this.each(async ({ key }) => {
      await this.claim.check(this.token);
      await this.bucket.remove(key);
    });
    await this.claim.letGo(this.token);
    return commit;
  }

  /** @returns the commit that is aside now */
  private async hide(importId: string): Promise<Commit> {
    const [bytes, aside] = [await this.bucket.get(this.claim.commit), await this.bucket.get(this.commitAside)];
    const standing = bytes && (JSON.parse(bytes.toString()) as Commit);
    if (bytes && standing?.import_id === importId) {
      await this.claim.hold(this.token);
      await this.bucket.put(this.commitAside, bytes);
      await this.bucket.remove(this.claim.commit);
      return standing;
    }
    if (!aside) throw new NothingToWithdrawError(this.claim.subject.id);
    return JSON.parse(aside.toString()) as Commit;
  }

  private async copy(object: ListedObject): Promise<void> {
    const to = this.aside + object.key.slice(this.claim.place.length);
    if ((await this.bucket.head(to))?.size !== object.size) await copyObject(this.bucket, object, to);
  }

  /** Calls for every object of the payload, for some at once. */
  private async each(call: (object: ListedObject) => Promise<void>): Promise<void> {
    const objects = this.bucket.list(this.claim.place);
    const take = async (): Promise<void> => {
      for (let next = await objects.next(); !next.done; next = await objects.next()) await call(next.value);
    };
    await Promise.all(Array.from({ length: copiesAtOnce }, take));
  }
}
