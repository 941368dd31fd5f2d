import { hash } from 'node:crypto';
import type { CommitHead, CommitHeads } from './commit.js';

/** Heads of commits with the version that their ids and imports have as a whole: equal in every process. */
export class CommitHeadMap implements CommitHeads {
  static readonly empty = new CommitHeadMap(new Map());
  private text: string | null = null;

  private constructor(readonly byId: ReadonlyMap<string, CommitHead>) {}

  get version(): string {
    this.text ??= hash('sha256', [...this.byId.values()].map(lineOf).sort().join('\n'), 'base64url');
    return this.text;
  }

  /** This map when the other says the same, so that its version need not be told again. */
  replacedBy(byId: ReadonlyMap<string, CommitHead>): CommitHeadMap {
    const isSame = byId.size === this.byId.size && [...byId].every(([id, head]) => this.byId.get(id) === head);
    return isSame ? this : new CommitHeadMap(byId);
  }
}

function lineOf({ id, import_id }: CommitHead): string {
  return `${id} ${import_id}`;
}
