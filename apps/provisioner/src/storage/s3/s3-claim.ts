import type { Bucket } from '../../s3/bucket.js';
import { abortUpload, openUploads } from '../../s3/multipart.js';
import type { Subject } from '../../source/identifier.js';
import type { Layout } from '../layout.js';
import { ForeignContentError, SupersededError } from '../storage-failure.js';

/** Who works at a subject; without it, what is under the subject's keys is not ours. */
interface Owner {
  readonly token: string;
  /** Of the source that the payload comes from; null while a former payload is being removed. */
  readonly fingerprint: string | null;
}

/** Keys of one subject, and whose turn it is to write them. */
export class S3Claim {
  /** The prefix of the payload. */
  readonly place: string;
  /** The prefix of what is noted about finished files. */
  readonly journal: string;
  readonly commit: string;
  private readonly owner: string;

  constructor(
    private readonly bucket: Bucket,
    layout: Layout,
    readonly subject: Subject,
  ) {
    this.place = `${layout.place(subject)}/`;
    this.journal = `${layout.staging(subject)}/finished/`;
    this.owner = `${layout.staging(subject)}/owner.json`;
    this.commit = `${layout.commits(subject.kind)}/${subject.id}.json`;
  }

  /**
   * Makes the subject's keys this attempt's own. A payload from a source of another fingerprint is removed.
   *
   * @throws ForeignContentError when something is there that no attempt has put there
   */
  async take(token: string, fingerprint: string): Promise<void> {
    const former = (await this.read()) ?? (await this.first());
    if (former && former.fingerprint !== fingerprint) {
      await this.write({ token, fingerprint: null });
      await this.removePayload();
    }
    await this.write({ token, fingerprint });
  }

  /** @throws SupersededError when another attempt has taken over, or somebody has ended the import */
  async check(token: string): Promise<void> {
    if ((await this.read())?.token !== token) throw new SupersededError();
  }

  /**
   * Removes what attempts have left; the payload unless it is published. Whoever still works at it is superseded first.
   */
  async release(): Promise<void> {
    if (!(await this.read())) return;
    await this.write({ token: '', fingerprint: null });
    if (await this.bucket.head(this.commit)) await this.removeWork();
    else await this.removePayload();
    await this.bucket.remove(this.owner);
  }

  private async removePayload(): Promise<void> {
    await this.removeWork();
    await this.bucket.removeAll(this.place);
  }

  private async removeWork(): Promise<void> {
    for (const upload of await openUploads(this.bucket, this.place)) await abortUpload(this.bucket, upload);
    await this.bucket.removeAll(this.journal);
  }

  /** No owner: nothing may be there, unless somebody became the owner meanwhile. */
  private async first(): Promise<Owner | null> {
    if (!(await this.bucket.holdsAny(this.place))) return null;
    const owner = await this.read();
    if (!owner) throw new ForeignContentError(this.place);
    return owner;
  }

  private async read(): Promise<Owner | null> {
    const bytes = await this.bucket.get(this.owner);
    return bytes && (JSON.parse(bytes.toString()) as Owner);
  }

  private async write(owner: Owner): Promise<void> {
    await this.bucket.put(this.owner, Buffer.from(JSON.stringify(owner)));
  }
}
