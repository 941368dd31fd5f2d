import { createHash, type Hash } from 'node:crypto';
import type { Declarations } from './declarations/declarations.js';
import { couldDescribe, readDeclarations } from './declarations/read-declarations.js';
import type { Problem } from './problem.js';
import { ProblemList } from './problem-list.js';
import { SeenEntries } from './seen-entries.js';
import type { SourceEntry, SourcePlace, SourceSystem, WalkItem } from './source-system.js';

/** What a walk of a place found, without reading its data. */
export interface Survey {
  readonly files: number;
  readonly folders: number;
  readonly bytes: number;
  /** The latest modification of anything in it, in milliseconds since 1970; null when it is empty. */
  readonly modifiedAt: number | null;
  /** The latest change of anything in it, its being put there included, in milliseconds since 1970. */
  readonly changedAt: number;
  /** `sha256:` of paths, types, sizes and modification times: equal as long as nothing was changed. */
  readonly fingerprint: string;
  readonly declarations: Declarations;
  /** A bag in which everything listed is there. */
  readonly isCompleteBag: boolean;
  readonly problems: ProblemList;
  /** What is taken. */
  readonly seen: SeenEntries;
}

/** Gives the memory of entries and declarations back at once: when nobody goes through them any more. */
export function releaseSurvey({ seen, declarations }: Survey): void {
  seen.release();
  declarations.files.release();
}

/** What becomes of symbolic links: the place is refused, or they are left out, or kept where they stay inside it. */
export const symlinkPolicies = ['refuse', 'skip', 'keep'] as const;

export type SymlinkPolicy = (typeof symlinkPolicies)[number];

/** How a survey treats what policy decides. */
export interface SurveyPolicy {
  readonly symlinks: SymlinkPolicy;
  /** Why the storage cannot keep an entry, if it cannot. */
  readonly refusal?: (entry: SourceEntry) => Problem | undefined;
  /** Ends a walk amid: its reason is thrown. */
  readonly signal?: AbortSignal;
}

/** Walks a place and reads its descriptors; every problem is found, not only the first. */
export async function surveyPlace(source: SourceSystem, place: SourcePlace, policy: SurveyPolicy): Promise<Survey> {
  const found = new Findings();
  const topFiles: SourceEntry[] = [];
  const taken = (): AsyncIterable<readonly WalkItem[]> => takenOf(source.walk(place), policy);
  const seen = new SeenEntries(() => entriesIn(taken()));
  await found.addAll(taken(), (entries) => {
    seen.add(entries);
    for (const entry of entries) {
      const refusal = policy.refusal?.(entry);
      if (refusal) found.problems.add(refusal);
      if (entry.type === 'file' && couldDescribe(place, entry.path)) topFiles.push(entry);
    }
  });
  const { problems } = found;
  const declarations = await readDeclarations(source, place, topFiles, problems);
  const missing = await compare(seen, declarations);
  const isComplete = isCompleteBag(declarations, missing, found);
  return { ...found.summary(), declarations, problems, seen, isCompleteBag: isComplete };
}

/** Adds every file that is not as declared to the problems. @returns how many are missing */
async function compare(seen: SeenEntries, declarations: Declarations): Promise<number> {
  const { files, problems } = declarations;
  if (files.count === 0) return 0;
  for await (const entries of seen.again()) {
    for (const entry of entries) {
      const problem = entry.type === 'file' && disagreement(entry, declarations);
      if (problem) problems.add(problem);
    }
  }
  let missing = 0;
  for (const path of files.unseen()) {
    problems.add(missingFile(path));
    missing += 1;
  }
  return missing;
}

/** The fingerprint of a place as it is now, by one walk, and when anything in it was last changed. */
export async function fingerprintPlace(
  source: SourceSystem,
  place: SourcePlace,
  policy: SurveyPolicy,
): Promise<Pick<Survey, 'fingerprint' | 'changedAt'>> {
  const found = new Findings();
  await found.addAll(takenOf(source.walk(place), policy));
  return found.summary();
}

/** A walk as the policy wants it: links left out, kept, or problems. */
async function* takenOf(
  walk: AsyncIterable<readonly WalkItem[]>,
  { symlinks, signal }: SurveyPolicy,
): AsyncGenerator<readonly WalkItem[]> {
  for await (const items of walk) {
    signal?.throwIfAborted();
    yield items.flatMap((item): WalkItem | [] => {
      if (item.problem?.code !== 'file.symlink') return item;
      if (symlinks === 'keep' && item.link) return { entry: item.link };
      return symlinks === 'skip' ? [] : { problem: item.problem };
    });
  }
}

async function* entriesIn(walk: AsyncIterable<readonly WalkItem[]>): AsyncGenerator<readonly SourceEntry[]> {
  for await (const items of walk) yield items.flatMap(({ entry }) => entry ?? []);
}

/** What the walk adds up. */
class Findings {
  files = 0;
  folders = 0;
  bytes = 0;
  payloadFiles = 0;
  payloadBytes = 0;
  readonly problems = new ProblemList();
  private modified = 0n;
  private changed = 0n;
  private readonly digest: Hash = createHash('sha256');

  /** @param onEntries told what of each run of items is taken */
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

  summary(): Pick<Survey, 'files' | 'folders' | 'bytes' | 'modifiedAt' | 'changedAt' | 'fingerprint'> {
    return {
      files: this.files,
      folders: this.folders,
      bytes: this.bytes,
      modifiedAt: this.modified === 0n ? null : Number(this.modified / 1_000_000n),
      changedAt: Number(this.changed / 1_000_000n),
      fingerprint: `sha256:${this.digest.digest('hex')}`,
    };
  }
}

/** Folders count by name only: their modification time says nothing that their entries do not. */
function fingerprintLine({ path, type, size, mtimeNs, etag, target }: SourceEntry): string {
  if (type === 'directory') return `${path}/\n`;
  if (type === 'symlink') return `${path}\0->\0${target ?? ''}\n`;
  return `${[path, String(size), String(mtimeNs), ...(etag === null ? [] : [etag])].join('\0')}\n`;
}

function disagreement({ path, size }: SourceEntry, { files, completeFolders }: Declarations): Problem | undefined {
  const declared = files.see(path);
  if (declared?.size !== undefined && declared.size !== size) {
    const message = `${path} has ${String(size)} bytes; declared are ${String(declared.size)}.`;
    return { code: 'size.mismatch', path, message };
  }
  if (!declared && completeFolders.some((folder) => path.startsWith(folder))) {
    return { code: 'file.unlisted', path, message: `${path} is in no manifest of the bag.` };
  }
  return undefined;
}

function missingFile(path: string): Problem {
  return { code: 'file.missing', path, message: `${path} is declared and not there.` };
}

function isCompleteBag({ isBag, oxum, files }: Declarations, missing: number, found: Findings): boolean {
  if (!isBag || missing > 0 || files.count === 0) return false;
  return oxum === null || (oxum.bytes === found.payloadBytes && oxum.files === found.payloadFiles);
}
