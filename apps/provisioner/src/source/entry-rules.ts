import { createHash, type Hash } from 'node:crypto';
import type { Problem } from '../model/problem.js';
import type { ProblemList } from '../model/problem-list.js';
import type { SourceEntry } from '../model/source-system.js';
import type { EntryPolicy } from '../settings/delivery-policies.js';
import { unsafeCharacterIn } from '../model/unsafe-names.js';

/** Files with several hard links whose other links are searched at a time: some 20 MB. Further files count as linked from outside. */
const maxOpenInodes = 100_000;

/** A file with several hard links, some of which were not found yet. */
interface OpenInode {
  readonly path: string;
  readonly links: number;
  found: number;
}

/** Finds files that have a hard link outside of their place, and names that contain unsafe characters. */
export class EntryRules {
  private readonly open = new Map<string, OpenInode>();
  private refused: Hash | null = null;

  /**
   * @param problems receives the entries that are refused
   * @param warnings receives the entries that are reported and accepted
   */
  constructor(
    private readonly policies: { readonly hardLinks: EntryPolicy; readonly names: EntryPolicy },
    private readonly problems: ProblemList,
    private readonly warnings: ProblemList,
  ) {}

  check(entry: SourceEntry): void {
    if (this.policies.names !== 'accept') this.checkName(entry.path);
    if (entry.links && this.policies.hardLinks !== 'accept') this.checkLinks(entry.path, entry.links);
  }

  /**
   * Reports the files whose links were not all found. To be called after the last entry.
   *
   * @returns the fingerprint or, if entries are refused, a digest of the fingerprint and those entries
   */
  end(fingerprint: string): string {
    for (const inode of this.open.values()) this.reportLinks(inode);
    this.open.clear();
    return this.refused === null ? fingerprint : `sha256:${this.refused.update(fingerprint).digest('hex')}`;
  }

  private checkName(path: string): void {
    const character = unsafeCharacterIn(path);
    if (character === undefined) return;
    const message = `The name of ${path} contains ${character}, which is invisible or changes how the name is displayed; rename the file.`;
    this.report(this.policies.names, { code: 'name.unsafe', path, message });
  }

  private checkLinks(path: string, { inode, count }: NonNullable<SourceEntry['links']>): void {
    const known = this.open.get(inode);
    if (known) {
      known.found += 1;
      if (known.found === known.links) this.open.delete(inode);
    } else if (this.open.size < maxOpenInodes) this.open.set(inode, { path, links: count, found: 1 });
    else this.reportLinks({ path, links: count, found: 1 });
  }

  private reportLinks({ path, links, found }: OpenInode): void {
    const outside = String(links - found);
    const message = `${path} has ${String(links)} hard links, of which ${outside} are outside of the dataset's folder; deliver a copy of the file.`;
    this.report(this.policies.hardLinks, { code: 'file.hard_link', path, message });
  }

  private report(policy: EntryPolicy, problem: Problem): void {
    if (policy === 'refuse') {
      this.problems.add(problem);
      this.refused = (this.refused ?? createHash('sha256')).update(`${problem.code}\0${problem.path ?? ''}\n`);
    } else this.warnings.add(problem);
  }
}
