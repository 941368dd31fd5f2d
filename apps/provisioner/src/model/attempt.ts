import type { Commit, CommitDraft } from './commit.js';
import type { Shards } from './shards.js';
import { Workspace } from './workspace.js';

/** The workspace of one attempt. Its files become visible when it is published. */
export abstract class Attempt extends Workspace {
  /** The shards of the attempt, which other processes can copy; null if the storage has none. */
  readonly shards: Shards | null = null;

  /**
   * Flushes all files, writes the commit record and makes the subject visible in one step.
   *
   * @returns the published commit: of this attempt, or of an earlier attempt at the same import that was already
   *   published
   * @throws ForeignContentError if the path of the subject contains data that no import has written
   */
  abstract publish(draft: CommitDraft): Promise<Commit>;
}
