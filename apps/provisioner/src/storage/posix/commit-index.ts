import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stateOfFolder } from '../../posix/folder-state.js';
import { readSmallFiles } from '../../posix/small-files.js';
import { headOf, parseCommit, type Commit, type CommitHead, type CommitHeads } from '../../model/commit.js';
import { CommitHeadMap } from '../../model/commit-heads.js';
import { CoalescedCall } from '../../model/fresh-answer.js';
import { commitFile } from '../../model/layout.js';
import { ignoring } from './durable-file.js';

/** After so long all records are read again: one that was removed from inside its folder leaves no other trace. */
const rereadEveryMs = 10 * 60_000;

/**
 * The heads of the commit records in one folder, kept in memory. The folder's own modification time tells whether
 * anything came or went; then its names are read anew, and the records of the new ones. What was withdrawn may have come
 * back as another: where the folder of withdrawn ones has changed, every record is read anew.
 */
export class CommitIndex {
  private heads = CommitHeadMap.empty;
  private state: string | null = null;
  private withdrawals: string | null = null;
  private rereadAt = 0;
  private readonly fresh = new CoalescedCall(() => this.refresh());
  private rereading: Promise<void> | null = null;

  /**
   * @param folder of all imported subjects of a kind
   * @param withdrawn the folder of those that were withdrawn
   */
  constructor(
    private readonly folder: string,
    private readonly withdrawn: string,
    private readonly rereadMs = rereadEveryMs,
  ) {}

  /** The heads as they were last read. */
  get lastRead(): CommitHeads {
    return this.heads;
  }

  /** Every commit's head by id, as the folder is now. */
  all(): Promise<CommitHeads> {
    return this.fresh.run();
  }

  /** Resolves once no reading goes on in the background. */
  async settled(): Promise<void> {
    await this.rereading;
  }

  private async refresh(): Promise<CommitHeads> {
    const state = await stateOfFolder(this.folder);
    if (state === null || state !== this.state) {
      const isFirst = this.rereadAt === 0;
      const withdrawals = await stateOfFolder(this.withdrawn);
      const isKnown = withdrawals !== null && withdrawals === this.withdrawals;
      this.heads = await this.read(isKnown ? this.heads : CommitHeadMap.empty);
      this.withdrawals = withdrawals;
      this.state = state;
      if (isFirst) this.rereadAt = Date.now() + this.rereadMs;
    } else if (Date.now() >= this.rereadAt) this.reread();
    return this.heads;
  }

  /** Reads everything anew behind the answers that are given meanwhile; what fails is tried again at the next call. */
  private reread(): void {
    this.rereading ??= this.read(CommitHeadMap.empty)
      .then((heads) => {
        this.heads = heads;
        // What was published meanwhile may not be among them: the next call looks at the names.
        this.state = null;
        this.rereadAt = Date.now() + this.rereadMs;
      })
      .catch(() => undefined)
      .finally(() => {
        this.rereading = null;
      });
  }

  /** The folder's names and the records of those that are not known. */
  private async read(known: CommitHeadMap): Promise<CommitHeadMap> {
    const names = (await ignoring(['ENOENT'], readdir(this.folder))) ?? [];
    const unread = names.filter((name) => !known.byId.has(name));
    const isAnyGone = names.length - unread.length < known.byId.size;
    const come = new Map<string, CommitHead>();
    const paths = unread.map((name) => `${this.folder}/${name}/${commitFile}`);
    await readSmallFiles(paths, (at, text) => {
      const commit = text === null ? null : parseCommit(text);
      if (commit) come.set(unread[at] ?? '', headOf(commit));
    });
    return known.changed(isAnyGone ? absent(known, names) : [], come);
  }
}

/** Those that are known and not among the names. */
function absent({ byId }: CommitHeadMap, names: readonly string[]): string[] {
  const there = new Set(names);
  return [...byId.keys()].filter((id) => !there.has(id));
}

/** The commit record inside an imported folder, or null when there is none that can be read as one. */
export async function readCommit(folder: string): Promise<Commit | null> {
  const text = await ignoring(['ENOENT', 'ENOTDIR'], readFile(join(folder, commitFile), 'utf8'));
  return text === undefined ? null : parseCommit(text);
}
