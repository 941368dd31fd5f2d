import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stateOfFolder } from '../../posix/folder-state.js';
import { readSmallFiles } from './small-files.js';
import { headOf, parseCommit, type Commit, type CommitHead, type CommitHeads } from '../../model/commit.js';
import { CommitHeadMap } from '../../model/commit-heads.js';
import { CoalescedCall } from '../../model/coalesced-call.js';
import { commitFile } from '../../model/layout.js';
import { ignoring } from './durable-file.js';

/**
 * The heads of the commit records in one folder, cached in memory. If the folder's modification time changes, its names
 * and the records of new names are read. If the folder of withdrawn subjects changes, all records are read, because a
 * withdrawn id may have been imported again. While neither folder changes, no record is opened: a record that is removed
 * from inside its folder stays in the list until the process starts again.
 */
export class CommitIndex {
  private heads = CommitHeadMap.empty;
  private state: string | null = null;
  private withdrawals: string | null = null;
  private readonly fresh = new CoalescedCall(() => this.refresh());

  /**
   * @param folder of the imported subjects of a kind
   * @param withdrawn the folder of the withdrawn subjects of the kind
   */
  constructor(
    private readonly folder: string,
    private readonly withdrawn: string,
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
    const state = await stateOfFolder(this.folder);
    if (state === null || state !== this.state) {
      const withdrawals = await stateOfFolder(this.withdrawn);
      const isCurrent = withdrawals !== null && withdrawals === this.withdrawals;
      this.heads = await this.read(isCurrent ? this.heads : CommitHeadMap.empty);
      this.withdrawals = withdrawals;
      this.state = state;
    }
    return this.heads;
  }

  /** Reads the folder's names and the records that are not cached. */
  private async read(cached: CommitHeadMap): Promise<CommitHeadMap> {
    const names = (await ignoring(['ENOENT'], readdir(this.folder))) ?? [];
    const unread = names.filter((name) => !cached.bySubject.has(name));
    const isAnyRemoved = names.length - unread.length < cached.bySubject.size;
    const added = new Map<string, CommitHead>();
    const paths = unread.map((name) => `${this.folder}/${name}/${commitFile}`);
    await readSmallFiles(paths, (index, text) => {
      const commit = text === null ? null : parseCommit(text);
      if (commit) added.set(unread[index] ?? '', headOf(commit));
    });
    return cached.withChanges(isAnyRemoved ? removedIds(cached, names) : [], added);
  }
}

/** Returns the cached ids that are not among the names. */
function removedIds({ bySubject }: CommitHeadMap, names: readonly string[]): string[] {
  const present = new Set(names);
  return [...bySubject.keys()].filter((id) => !present.has(id));
}

/** Reads the commit record inside an imported folder. @returns null if there is no valid commit record */
export async function readCommit(folder: string): Promise<Commit | null> {
  const text = await ignoring(['ENOENT', 'ENOTDIR'], readFile(join(folder, commitFile), 'utf8'));
  return text === undefined ? null : parseCommit(text);
}
