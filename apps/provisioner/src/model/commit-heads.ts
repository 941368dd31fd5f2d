import { hash } from 'node:crypto';
import { FoldedIds } from './folded-ids.js';
import type { CommitHead, CommitHeads } from './commit.js';

/**
 * An immutable map of commit heads. The version depends only on the ids and their imports, not on the order in which
 * the commits were read, so that it is equal in every process. A change updates the version without reading the other
 * heads.
 */
export class CommitHeadMap implements CommitHeads {
  static readonly empty = new CommitHeadMap(new Map(), 0n);

  private constructor(
    readonly bySubject: ReadonlyMap<string, CommitHead>,
    /** The exclusive or of the marks of all heads. */
    private readonly marks: bigint,
    private folded: FoldedIds | null = null,
  ) {}

  get version(): string {
    return this.marks.toString(36);
  }

  caseVariantOf(id: string): string | undefined {
    this.folded ??= FoldedIds.of(this.bySubject.keys());
    return this.folded.caseVariantOf(id);
  }

  /**
   * Returns a map with the given ids removed and the given heads added or replaced.
   *
   * @returns this map if nothing changes
   */
  withChanges(removed: readonly string[], added: ReadonlyMap<string, CommitHead>): CommitHeadMap {
    if (removed.length === 0 && added.size === 0) return this;
    const bySubject = new Map(this.bySubject);
    let { marks } = this;
    for (const id of [...removed, ...added.keys()]) {
      marks ^= markOf(id, bySubject.get(id));
      bySubject.delete(id);
    }
    for (const [id, head] of added) {
      marks ^= markOf(id, head);
      bySubject.set(id, head);
    }
    if (marks === this.marks) return this;
    return new CommitHeadMap(bySubject, marks, this.folded && this.folded.changed(removed, added.keys()));
  }
}

/** Returns 64 bits of the SHA-256 of an id and its import; 0 if there is no head. */
function markOf(id: string, head: CommitHead | undefined): bigint {
  return head ? hash('sha256', `${id} ${head.import_id}`, 'buffer').readBigUInt64LE() : 0n;
}
