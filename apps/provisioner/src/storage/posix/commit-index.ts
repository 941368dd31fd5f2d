import { stat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Commit } from '../commit.js';
import { ignoring } from './durable-file.js';
import { commitFile } from '../layout.js';

/** Commit records read at once. */
const readsAtOnce = 16;

/**
 * The commit records of one folder, kept in memory. The folder's own modification time tells whether anything came or
 * went; then its names are read anew, and the records of the new ones.
 */
export class CommitIndex {
  private validator = '';
  private known: ReadonlyMap<string, Commit> = new Map();
  private refreshing: Promise<ReadonlyMap<string, Commit>> | null = null;

  constructor(private readonly folder: string) {}

  /** Every commit by id, as the folder is now. */
  all(): Promise<ReadonlyMap<string, Commit>> {
    this.refreshing ??= this.refresh().finally(() => {
      this.refreshing = null;
    });
    return this.refreshing;
  }

  private async refresh(): Promise<ReadonlyMap<string, Commit>> {
    const stats = await ignoring(['ENOENT'], stat(this.folder, { bigint: true }));
    if (!stats) return new Map();
    const validator = `${String(stats.ino)}:${String(stats.mtimeNs)}`;
    if (validator === this.validator) return this.known;
    const names = await readdir(this.folder);
    const next = new Map<string, Commit>();
    const unread = [...names];
    const read = async (): Promise<void> => {
      for (let name = unread.pop(); name !== undefined; name = unread.pop()) {
        const commit = this.known.get(name) ?? (await readCommit(join(this.folder, name)));
        if (commit) next.set(name, commit);
      }
    };
    await Promise.all(Array.from({ length: readsAtOnce }, read));
    this.known = next;
    // A folder changed within the clock's last tick could change again unseen: look again next time.
    const settled = Date.now() - Number(stats.mtimeMs) > 100;
    this.validator = settled ? validator : '';
    return next;
  }
}

/** The commit record inside an imported folder, or null when there is none that can be read as one. */
export async function readCommit(folder: string): Promise<Commit | null> {
  const text = await ignoring(['ENOENT', 'ENOTDIR'], readFile(join(folder, commitFile), 'utf8'));
  return text === undefined ? null : (JSON.parse(text) as Commit);
}
