import { hash } from 'node:crypto';
import { FoldedIds } from './folded-ids.js';
import type { CommitHead, CommitHeads } from './commit.js';

/**
 * Heads of commits with the version that their ids and imports have as a whole: equal in every process, in whatever order
 * they were read. What comes and goes is taken in and out of it, and of the folded ids once those were asked for, so that
 * one more costs no look at all the others.
 */
export class CommitHeadMap implements CommitHeads {
  static readonly empty = new CommitHeadMap(new Map(), 0n);

  private constructor(
    readonly byId: ReadonlyMap<string, CommitHead>,
    /** The exclusive or of the marks of all. */
    private readonly marks: bigint,
    private folded: FoldedIds | null = null,
  ) {}

  get version(): string {
    return this.marks.toString(36);
  }

  caseVariantOf(id: string): string | undefined {
    this.folded ??= FoldedIds.of(this.byId.keys());
    return this.folded.caseVariantOf(id);
  }

  /**
   * This map without the ids that are gone and with the heads that came, in place of others of the same ids too; the
   * very same when that changes nothing.
   */
  changed(gone: readonly string[], come: ReadonlyMap<string, CommitHead>): CommitHeadMap {
    if (gone.length === 0 && come.size === 0) return this;
    const byId = new Map(this.byId);
    let { marks } = this;
    for (const id of [...gone, ...come.keys()]) {
      marks ^= markOf(id, byId.get(id));
      byId.delete(id);
    }
    for (const [id, head] of come) {
      marks ^= markOf(id, head);
      byId.set(id, head);
    }
    if (marks === this.marks) return this;
    return new CommitHeadMap(byId, marks, this.folded && this.folded.changed(gone, come.keys()));
  }
}

/** 64 bits of the SHA-256 of where a commit stands and its import. */
function markOf(id: string, head: CommitHead | undefined): bigint {
  return head ? hash('sha256', `${id} ${head.import_id}`, 'buffer').readBigUInt64LE() : 0n;
}
