import { createHash, type Hash } from 'node:crypto';
import type { Problem } from '../model/problem.js';
import { ProblemList } from '../model/problem-list.js';
import type { SourceEntry, WalkItem } from '../model/source-system.js';

/** The totals of a walk. */
export interface WalkSums {
  readonly files: number;
  readonly folders: number;
  readonly bytes: number;
  /** The latest modification of any entry, in milliseconds since 1970; null if the place is empty. */
  readonly modifiedAt: number | null;
  /** The latest change of any entry, its arrival included, in milliseconds since 1970. */
  readonly changedAt: number;
  /** `sha256:` and a digest of paths, types, sizes and modification times: equal until an entry changes. */
  readonly fingerprint: string;
}

/** Adds up the items of a walk. */
export class WalkTotals {
  readonly problems = new ProblemList();
  payloadFiles = 0;
  payloadBytes = 0;
  private files = 0;
  private folders = 0;
  private bytes = 0;
  private modified = 0n;
  private changed = 0n;
  private readonly digest: Hash = createHash('sha256');

  /** @param onEntries receives the entries of each run of items */
  async addAll(
    walk: AsyncIterable<readonly WalkItem[]>,
    onEntries?: (entries: readonly SourceEntry[]) => void,
  ): Promise<void> {
    for await (const items of walk) {
      for (const { entry, problem } of items) {
        if (problem) this.addProblem(problem);
        else this.add(entry);
      }
      onEntries?.(items.flatMap(({ entry }) => entry ?? []));
    }
  }

  /** Returns the totals. To be called once, after the walk. */
  sums(): WalkSums {
    return {
      files: this.files,
      folders: this.folders,
      bytes: this.bytes,
      modifiedAt: this.modified === 0n ? null : Number(this.modified / 1_000_000n),
      changedAt: Number(this.changed / 1_000_000n),
      fingerprint: `sha256:${this.digest.digest('hex')}`,
    };
  }

  private add(entry: SourceEntry): void {
    if (entry.type === 'file') {
      this.files += 1;
      this.bytes += entry.size;
      if (entry.path.startsWith('data/')) {
        this.payloadFiles += 1;
        this.payloadBytes += entry.size;
      }
    } else if (entry.type === 'directory') this.folders += 1;
    if (entry.mtimeNs > this.modified) this.modified = entry.mtimeNs;
    if (entry.ctimeNs > this.changed) this.changed = entry.ctimeNs;
    this.digest.update(fingerprintLine(entry));
  }

  private addProblem(problem: Problem): void {
    this.problems.add(problem);
    this.digest.update(`${problem.code}\0${problem.path ?? ''}\n`);
  }
}

/** Returns the line of an entry. A folder counts by its path only: each change in it changes an entry as well. */
function fingerprintLine({ path, type, size, mtimeNs, etag, target }: SourceEntry): string {
  if (type === 'directory') return `${path}/\n`;
  if (type === 'symlink') return `${path}\0->\0${target ?? ''}\n`;
  return `${[path, String(size), String(mtimeNs), ...(etag === null ? [] : [etag])].join('\0')}\n`;
}
