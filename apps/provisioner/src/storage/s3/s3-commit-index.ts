import type { Bucket } from '../../s3/bucket.js';
import { headOf, parseCommit, type CommitHead, type CommitHeads } from '../../model/commit.js';
import { CommitHeadMap } from '../../model/commit-heads.js';
import { CoalescedCall } from '../../model/coalesced-call.js';

/** Commit objects read at once. */
const readsAtOnce = 16;

const ending = '.json';

interface CachedHead {
  readonly etag: string;
  readonly head: CommitHead;
}

/** The heads of the commit objects of one kind, cached in memory. A refresh lists the objects and reads the changed ones. */
export class S3CommitIndex {
  private cache = new Map<string, CachedHead>();
  private heads = CommitHeadMap.empty;
  private readonly fresh = new CoalescedCall(() => this.refresh());

  /** @param prefix of the commit objects, with the final slash */
  constructor(
    private readonly bucket: Bucket,
    private readonly prefix: string,
  ) {}

  /** The heads that were read last. */
  get lastRead(): CommitHeads {
    return this.heads;
  }

  /** Returns the current head of every commit, by id. */
  all(): Promise<CommitHeads> {
    return this.fresh.run();
  }

  private async refresh(): Promise<CommitHeads> {
    const next = new Map<string, CachedHead>();
    const changed = new Map<string, CommitHead>();
    const objects = this.bucket.list(this.prefix);
    const readNext = async (): Promise<void> => {
      for (let result = await objects.next(); !result.done; result = await objects.next()) {
        const { key, etag } = result.value;
        const cached = this.cache.get(key);
        const current = cached?.etag === etag ? cached : await this.read(key, etag);
        if (!current) continue;
        next.set(key, current);
        if (current !== cached) changed.set(this.idOf(key), current.head);
      }
    };
    await Promise.all(Array.from({ length: readsAtOnce }, readNext));
    const removed = [...this.cache.keys()].filter((key) => !next.has(key));
    this.heads = this.heads.withChanges(
      removed.map((key) => this.idOf(key)),
      changed,
    );
    this.cache = next;
    return this.heads;
  }

  private idOf(key: string): string {
    return key.slice(this.prefix.length, -ending.length);
  }

  private async read(key: string, etag: string): Promise<CachedHead | null> {
    const bytes = await this.bucket.get(key);
    const commit = bytes && parseCommit(bytes.toString());
    return commit && { etag, head: headOf(commit) };
  }
}
