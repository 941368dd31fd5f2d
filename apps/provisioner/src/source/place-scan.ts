import { hash } from 'node:crypto';
import { couldDescribe } from './declarations/descriptors.js';
import type { DeclarationThreads } from './declarations/declaration-threads.js';
import { readDeclarations, type Declared } from './declarations/read-declarations.js';
import { EntryRules } from './entry-rules.js';
import type { Problem } from '../model/problem.js';
import { ProblemList } from '../model/problem-list.js';
import { WalkedEntries } from './walked-entries.js';
import type { SourceEntry, SourcePlace, SourceSystem, WalkItem } from '../model/source-system.js';
import type { EntryPolicy, SymlinkPolicy } from '../settings/delivery-policies.js';
import { WalkTotals, type WalkSums } from './walk-totals.js';

/** Result of a walk of a place, without its data being read. */
export interface ScanResult extends WalkSums {
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
  readonly entries: WalkedEntries;
}

/** Gives the memory of entries and declarations back at once, when no process needs them any more. */
export function releaseScan({ entries, declarations }: Pick<ScanResult, 'entries' | 'declarations'>): void {
  entries.release();
  declarations.checksums.release();
}

/** Decisions of the operator and of the storage about a walk. */
export interface ScanPolicy {
  readonly symlinks: SymlinkPolicy;
  readonly hardLinks?: EntryPolicy;
  readonly names?: EntryPolicy;
  /** Returns why the storage cannot keep an entry, if it cannot. */
  readonly refusal?: (entry: SourceEntry) => Problem | undefined;
  /** Ends a walk: its reason is thrown. */
  readonly signal?: AbortSignal;
}

/** What a survey works with. */
export interface ScanTools {
  readonly source: SourceSystem;
  readonly threads: DeclarationThreads;
}

/**
 * Walks a place and reads its descriptors. Every problem is found, not only the first.
 *
 * @param keepsChecksums whether the declared checksums stay in memory, for the comparison with a copy
 */
export async function scanPlace(
  { source, threads }: ScanTools,
  place: SourcePlace,
  policy: ScanPolicy,
  keepsChecksums = true,
): Promise<ScanResult> {
  const walked = await walkPlace(source, place, policy);
  const { problems, warnings, entries, sums, rejectionKey, topFiles, totals } = walked;
  const declaring = { source, place, topFiles, entries: () => entries.read() };
  const declarations = await readDeclarations(threads, declaring, problems, keepsChecksums);
  const isComplete = isCompleteBag(declarations, totals);
  return { ...sums, rejectionKey, declarations, problems, warnings, entries, isCompleteBag: isComplete };
}

/** A place after its walk, before its descriptors are read. */
export interface WalkedPlace {
  readonly sums: WalkSums;
  readonly rejectionKey: string;
  readonly problems: ProblemList;
  readonly warnings: ProblemList;
  readonly entries: WalkedEntries;
  readonly totals: WalkTotals;
  /** Files at the top that describe others by their name. */
  readonly topFiles: readonly SourceEntry[];
}

/** Walks a place once. */
export async function walkPlace(source: SourceSystem, place: SourcePlace, policy: ScanPolicy): Promise<WalkedPlace> {
  const totals = new WalkTotals();
  const { problems } = totals;
  const warnings = new ProblemList();
  const { hardLinks = 'accept', names = 'accept' } = policy;
  const rules = new EntryRules({ hardLinks, names }, problems, warnings);
  const topFiles: SourceEntry[] = [];
  const taken = (): AsyncIterable<readonly WalkItem[]> => takenOf(source.walk(place), policy);
  const entries = new WalkedEntries(() => entriesIn(taken()));
  await totals.addAll(taken(), (some) => {
    entries.add(some);
    for (const entry of some) {
      rules.check(entry);
      const refusal = policy.refusal?.(entry);
      if (refusal) problems.add(refusal);
      if (entry.type === 'file' && couldDescribe(place, entry.path)) topFiles.push(entry);
    }
  });
  const sums = totals.sums();
  const rejectionKey = rules.end(sums.fingerprint);
  return { sums, rejectionKey, problems, warnings, entries, totals, topFiles };
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
  policy: ScanPolicy,
): Promise<Pick<ScanResult, 'fingerprint' | 'changedAt'>> {
  const totals = new WalkTotals();
  await totals.addAll(takenOf(source.walk(place), policy));
  return totals.sums();
}

/** A walk as the policy wants it: links left out, kept, or problems. */
async function* takenOf(
  walk: AsyncIterable<readonly WalkItem[]>,
  { symlinks, signal }: ScanPolicy,
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
export function isCompleteBag({ isBag, oxum, count, missing }: Declared, totals: WalkTotals): boolean {
  if (!isBag || missing > 0 || count === 0) return false;
  return oxum === null || (oxum.bytes === totals.payloadBytes && oxum.files === totals.payloadFiles);
}
