import { hash } from 'node:crypto';
import { couldDescribe } from './declarations/descriptors.js';
import type { DeclarationThreads } from './declarations/declaration-threads.js';
import { readDeclarations, type Declared } from './declarations/read-declarations.js';
import { EntryRules } from './entry-rules.js';
import type { Problem } from '../model/problem.js';
import { ProblemList } from '../model/problem-list.js';
import { SeenEntries } from './seen-entries.js';
import type { SourceEntry, SourcePlace, SourceSystem, WalkItem } from '../model/source-system.js';
import type { EntryPolicy, SymlinkPolicy } from '../settings/delivery-policies.js';
import { WalkTotals, type WalkSums } from './walk-totals.js';

/** Result of a walk of a place, without its data being read. */
export interface Survey extends WalkSums {
  /**
   * The state of the place for which it is rejected: the fingerprint, and what `HARD_LINKS` and `NAMES` refuse. Neither a
   * hard link nor a setting changes the fingerprint, and both decide whether the place is refused.
   */
  readonly rejectionKey: string;
  readonly declarations: Declared;
  /** Whether the place is a bag in which every listed file exists. */
  readonly isCompleteBag: boolean;
  /** Everything for which the place is refused. */
  readonly problems: ProblemList;
  /** What is reported and taken all the same. */
  readonly warnings: ProblemList;
  /** The entries that are taken. */
  readonly seen: SeenEntries;
}

/** Gives the memory of entries and declarations back at once, when no process needs them any more. */
export function releaseSurvey({ seen, declarations }: Pick<Survey, 'seen' | 'declarations'>): void {
  seen.release();
  declarations.files.release();
}

/** Decisions of the operator and of the storage about a walk. */
export interface SurveyPolicy {
  readonly symlinks: SymlinkPolicy;
  readonly hardLinks?: EntryPolicy;
  readonly names?: EntryPolicy;
  /** Returns why the storage cannot keep an entry, if it cannot. */
  readonly refusal?: (entry: SourceEntry) => Problem | undefined;
  /** Ends a walk: its reason is thrown. */
  readonly signal?: AbortSignal;
}

/** What a survey works with. */
export interface SurveyTools {
  readonly source: SourceSystem;
  readonly threads: DeclarationThreads;
}

/**
 * Walks a place and reads its descriptors. Every problem is found, not only the first.
 *
 * @param keepsFiles whether the declared files stay in memory, for a copy to be compared with
 */
export async function surveyPlace(
  { source, threads }: SurveyTools,
  place: SourcePlace,
  policy: SurveyPolicy,
  keepsFiles = true,
): Promise<Survey> {
  const walked = await walkPlace(source, place, policy);
  const { problems, warnings, seen, sums, rejectionKey, topFiles, found } = walked;
  const entries = (): AsyncIterable<readonly SourceEntry[]> => seen.again();
  const declarations = await readDeclarations(threads, { source, place, topFiles, entries }, problems, keepsFiles);
  const isComplete = isCompleteBag(declarations, found);
  return { ...sums, rejectionKey, declarations, problems, warnings, seen, isCompleteBag: isComplete };
}

/** A place after its walk, before its descriptors are read. */
export interface WalkedPlace {
  readonly sums: WalkSums;
  readonly rejectionKey: string;
  readonly problems: ProblemList;
  readonly warnings: ProblemList;
  readonly seen: SeenEntries;
  readonly found: WalkTotals;
  /** Files at the top that describe others by their name. */
  readonly topFiles: readonly SourceEntry[];
}

/** Walks a place once. */
export async function walkPlace(source: SourceSystem, place: SourcePlace, policy: SurveyPolicy): Promise<WalkedPlace> {
  const found = new WalkTotals();
  const { problems } = found;
  const warnings = new ProblemList();
  const { hardLinks = 'accept', names = 'accept' } = policy;
  const rules = new EntryRules({ hardLinks, names }, problems, warnings);
  const topFiles: SourceEntry[] = [];
  const taken = (): AsyncIterable<readonly WalkItem[]> => takenOf(source.walk(place), policy);
  const seen = new SeenEntries(() => entriesIn(taken()));
  await found.addAll(taken(), (entries) => {
    seen.add(entries);
    for (const entry of entries) {
      rules.check(entry);
      const refusal = policy.refusal?.(entry);
      if (refusal) problems.add(refusal);
      if (entry.type === 'file' && couldDescribe(place, entry.path)) topFiles.push(entry);
    }
  });
  const sums = found.sums();
  const rejectionKey = rules.end(sums.fingerprint);
  return { sums, rejectionKey, problems, warnings, seen, found, topFiles };
}

/**
 * Returns a text that is another as soon as what a place declares, or how it compares with its files, can be another.
 * A descriptor counts by all that tells one state of a file from another, its inode and its time of change included.
 */
export function declarationKeyOf({ sums, topFiles }: WalkedPlace): string {
  const versions = topFiles.map(({ path, version }) => `${path}\0${version}`);
  return hash('sha256', [sums.fingerprint, ...versions].join('\n'), 'base64url');
}

/** Returns the fingerprint of a place as it is now, by one walk, and when anything in it was last changed. */
export async function fingerprintPlace(
  source: SourceSystem,
  place: SourcePlace,
  policy: SurveyPolicy,
): Promise<Pick<Survey, 'fingerprint' | 'changedAt'>> {
  const found = new WalkTotals();
  await found.addAll(takenOf(source.walk(place), policy));
  return found.sums();
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

/** Whether a place is a bag in which every listed file exists. */
export function isCompleteBag({ isBag, oxum, count, missing }: Declared, found: WalkTotals): boolean {
  if (!isBag || missing > 0 || count === 0) return false;
  return oxum === null || (oxum.bytes === found.payloadBytes && oxum.files === found.payloadFiles);
}
