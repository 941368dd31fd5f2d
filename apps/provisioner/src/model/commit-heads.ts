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

/**
 * Returns a 64-bit hash of an id and its import; 0 if there is no head. The hash is not cryptographic: the random part of
 * an import's id makes equal hashes unlikely, and a version protects nothing. SHA-256 took a tenth of the time of
 * reading all records.
 */
function markOf(id: string, head: CommitHead | undefined): bigint {
  if (!head) return 0n;
  const text = `${id} ${head.import_id}`;
  let high = 0x9e3779b9;
  let low = 0x85ebca6b;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code ^ (high >>> 15), 0xc2b2ae35);
  }
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}
