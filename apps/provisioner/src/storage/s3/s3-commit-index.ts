import type { Bucket } from '../../s3/bucket.js';
import { headOf, parseCommit, type CommitHead, type CommitHeads } from '../../model/commit.js';
import { CommitHeadMap } from '../../model/commit-heads.js';
import { CoalescedCall } from '../../model/fresh-answer.js';

/** Commit objects read at once. */
const readsAtOnce = 16;

const ending = '.json';

interface Known {
  readonly etag: string;
  readonly head: CommitHead;
}

/** The heads of the commit objects of one kind, kept in memory. One listing tells what came, went or is another; only that is read. */
export class S3CommitIndex {
  private known = new Map<string, Known>();
  private heads = CommitHeadMap.empty;
  private readonly fresh = new CoalescedCall(() => this.refresh());

  /** @param under the prefix of the commit objects, with its last slash */
  constructor(
    private readonly bucket: Bucket,
    private readonly under: string,
  ) {}

  /** The heads as they were last read. */
  get lastRead(): CommitHeads {
    return this.heads;
  }

  /** Every commit's head by id, as the store is now. */
  all(): Promise<CommitHeads> {
    return this.fresh.run();
  }

  private async refresh(): Promise<CommitHeads> {
    const next = new Map<string, Known>();
    const come = new Map<string, CommitHead>();
    const objects = this.bucket.list(this.under);
    const take = async (): Promise<void> => {
      for (let each = await objects.next(); !each.done; each = await objects.next()) {
        const { key, etag } = each.value;
        const former = this.known.get(key);
        const now = former?.etag === etag ? former : await this.read(key, etag);
        if (!now) continue;
        next.set(key, now);
        if (now !== former) come.set(this.idOf(key), now.head);
      }
    };
    await Promise.all(Array.from({ length: readsAtOnce }, take));
    const gone = [...this.known.keys()].filter((key) => !next.has(key));
    this.heads = this.heads.changed(
      gone.map((key) => this.idOf(key)),
      come,
    );
    this.known = next;
    return this.heads;
  }

  private idOf(key: string): string {
    return key.slice(this.under.length, -ending.length);
  }

  private async read(key: string, etag: string): Promise<Known | null> {
    const bytes = await this.bucket.get(key);
    const commit = bytes && parseCommit(bytes.toString());
    return commit && { etag, head: headOf(commit) };
  }
}
