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

/** The result of a walk of a place and of its descriptors. No other file was read. */
export interface ScanResult extends WalkSums {
  /**
   * Identifies the state for which an import of the place is rejected: the fingerprint and the entries that `HARD_LINKS`
   * and `NAMES` refuse. A hard link or a setting can change this key without changing the fingerprint.
   */
  readonly rejectionKey: string;
  readonly declarations: Declared;
  /** Whether the place is a bag in which every listed file exists. */
  readonly isCompleteBag: boolean;
  /** Problems for which the place is refused. */
  readonly problems: ProblemList;
  /** Problems that are reported and do not refuse the place. */
  readonly warnings: ProblemList;
  /** The entries of the place, without those that the policy leaves out. */
  readonly entries: WalkedEntries;
}

/** Frees the memory of the entries and of the declared checksums. */
export function releaseScan({ entries, declarations }: Pick<ScanResult, 'entries' | 'declarations'>): void {
  entries.release();
  declarations.checksums.release();
}

/** Rules of the operator and of the storage for a walk. */
export interface ScanPolicy {
  readonly symlinks: SymlinkPolicy;
  readonly hardLinks?: EntryPolicy;
  readonly names?: EntryPolicy;
  /** Returns the problem for which the storage cannot hold an entry, if there is one. */
  readonly refusal?: (entry: SourceEntry) => Problem | undefined;
  /** Ends the walk: the signal's reason is thrown. */
  readonly signal?: AbortSignal;
}

/** Parts that a scan of a place uses. */
export interface ScanTools {
  readonly source: SourceSystem;
  readonly threads: DeclarationThreads;
}

/**
 * Walks a place, reads its descriptors and compares both. Finds every problem, not only the first.
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

/** The result of a walk of a place, before its descriptors are read. */
export interface WalkedPlace {
  readonly sums: WalkSums;
  readonly rejectionKey: string;
  readonly problems: ProblemList;
  readonly warnings: ProblemList;
  readonly entries: WalkedEntries;
  readonly totals: WalkTotals;
  /** Files at the top of the place whose name is that of a descriptor. */
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
  const acceptedItems = (): AsyncIterable<readonly WalkItem[]> => accepted(source.walk(place), policy);
  const entries = new WalkedEntries(() => entriesIn(acceptedItems()));
  await totals.addAll(acceptedItems(), (some) => {
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
 * Returns a text that differs if the declarations of a place, or their comparison with its files, may differ. A descriptor
 * counts with its inode and its time of change in addition to its size and modification time.
 */
export function declarationKeyOf({ sums, topFiles }: WalkedPlace): string {
  const versions = topFiles.map(({ path, version }) => `${path}\0${version}`);
  return hash('sha256', [sums.fingerprint, ...versions].join('\n'), 'base64url');
}

/** Walks a place. @returns its present fingerprint, and the time of the latest change of any entry */
export async function fingerprintPlace(
  source: SourceSystem,
  place: SourcePlace,
  policy: ScanPolicy,
): Promise<Pick<ScanResult, 'fingerprint' | 'changedAt'>> {
  const totals = new WalkTotals();
  await totals.addAll(accepted(source.walk(place), policy));
  return totals.sums();
}

/** Returns a walk in which symbolic links are omitted, kept or problems, as the policy states. */
async function* accepted(
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
