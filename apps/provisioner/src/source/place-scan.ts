import { hash } from 'node:crypto';
import type { DeclarationThreads } from './declarations/declaration-threads.js';
import { bagInfoFile } from './declarations/bag/bag-names.js';
import { readDeclarations, type DeclarationReport, type Declared } from './declarations/read-declarations.js';
import { EntryRules } from './entry-rules.js';
import { uncomparedIn, type Integrity } from '../model/integrity.js';
import type { Problem } from '../model/problem.js';
import { ProblemList } from '../model/problem-list.js';
import type { SubmissionLists } from './submission-lists.js';
import { WalkedDescriptors } from './walked-descriptors.js';
import { WalkedEntries } from './walked-entries.js';
import type { SourceEntry, SourcePlace, SourceSystem, WalkItem } from '../model/source-system.js';
import type { ChecksumPolicy, EntryPolicy, SymlinkPolicy } from '../settings/delivery-policies.js';
import { WalkTotals, type WalkSums } from './walk-totals.js';

const undeclaredProblem: Problem = {
  code: 'checksum.undeclared',
  message: 'The delivery declares no checksum that can be compared; deliver a checksum list, such as SHA256SUMS.',
};

/** The result of a walk of a place and of its descriptors. No other file was read. */
export interface ScanResult extends WalkSums {
  /**
   * Identifies the state for which an import of the place is rejected: the fingerprint, the entries that `HARD_LINKS` and
   * `NAMES` refuse, whether checksums are required, and the checksum lists of the submission. A hard link, a setting or a list can change this key without
   * changing the fingerprint.
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

/** Returns the comparison of a delivery that is imported from a scan. The copy compares every declared checksum. */
export function integrityOf({ files, declarations, warnings }: ScanResult): Integrity {
  const { compared, algorithms } = declarations;
  return { files, compared, algorithms, not_compared: uncomparedIn(warnings.named) };
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
  /** The treatment of a dataset that declares no checksum. */
  readonly checksums?: ChecksumPolicy;
  /** Returns the problem for which the storage cannot hold an entry, if there is one. */
  readonly refusal?: (entry: SourceEntry) => Problem | undefined;
  /** Ends the walk: the signal's reason is thrown. */
  readonly signal?: AbortSignal;
}

/** Parts that a scan of a place uses. */
export interface ScanTools {
  readonly source: SourceSystem;
  readonly threads: DeclarationThreads;
  readonly lists: SubmissionLists;
}

/**
 * Walks a place, reads its descriptors and compares both. Finds every problem, not only the first.
 *
 * @param keepsChecksums whether the declared checksums stay in memory, for the comparison with a copy
 */
export async function scanPlace(
  tools: ScanTools,
  place: SourcePlace,
  policy: ScanPolicy,
  keepsChecksums = true,
): Promise<ScanResult> {
  const walked = await walkPlace(tools, place, policy);
  const { problems, warnings, entries, sums, rejectionKey } = walked;
  const declared = await declarePlace(tools, place, walked, { problems, warnings }, keepsChecksums);
  return { ...sums, ...declared, rejectionKey, problems, warnings, entries };
}

/** Reads the descriptors of a place that was walked, and compares them with its files. */
export async function declarePlace(
  { source, threads }: ScanTools,
  place: SourcePlace,
  { entries, descriptors, totals, checksums }: WalkedPlace,
  report: DeclarationReport,
  keepsChecksums: boolean,
): Promise<Pick<ScanResult, 'declarations' | 'isCompleteBag'>> {
  const declaring = { source, place, descriptors, entries: () => entries.read() };
  const declarations = await readDeclarations(threads, declaring, report, keepsChecksums);
  const { isBag, oxum, count, missing } = declarations;
  const { payloadBytes, payloadFiles } = totals;
  const isWhole = oxum === null || (oxum.bytes === payloadBytes && oxum.files === payloadFiles);
  if (oxum && !isWhole) {
    const found = `${String(payloadBytes)}.${String(payloadFiles)}`;
    const message = `The Payload-Oxum of ${bagInfoFile} is ${String(oxum.bytes)}.${String(oxum.files)}, but the payload has ${found} (bytes.files); deliver the whole payload, or correct it.`;
    report.problems.add({ code: 'size.mismatch', path: bagInfoFile, message });
  }
  if (checksums !== 'off' && declarations.algorithms.length === 0)
    (checksums === 'refuse' ? report.problems : report.warnings).add(undeclaredProblem);
  return { declarations, isCompleteBag: isBag && isWhole && missing === 0 && count > 0 };
}

/** The result of a walk of a place, before its descriptors are read. */
export interface WalkedPlace {
  readonly sums: WalkSums;
  readonly rejectionKey: string;
  readonly problems: ProblemList;
  readonly warnings: ProblemList;
  readonly entries: WalkedEntries;
  readonly totals: WalkTotals;
  readonly descriptors: WalkedDescriptors;
  readonly checksums: ChecksumPolicy;
}

/** Walks a place once, and the documents of a dataset's submission. */
export async function walkPlace(
  { source, lists }: Pick<ScanTools, 'source' | 'lists'>,
  place: SourcePlace,
  policy: ScanPolicy,
): Promise<WalkedPlace> {
  const totals = new WalkTotals();
  const { problems } = totals;
  const warnings = new ProblemList();
  const { hardLinks = 'accept', names = 'accept' } = policy;
  const checksums = place.kind === 'dataset' ? (policy.checksums ?? 'off') : 'off';
  const rules = new EntryRules({ hardLinks, names }, problems, warnings);
  const submission = place.kind === 'dataset' ? await lists.of(place.submission) : undefined;
  const acceptedItems = (): AsyncIterable<readonly WalkItem[]> => accepted(source.walk(place), policy);
  const entries = new WalkedEntries(() => entriesIn(acceptedItems()));
  const descriptors = new WalkedDescriptors(place, () => entriesIn(acceptedItems()), submission);
  await totals.addAll(acceptedItems(), (some) => {
    entries.add(some);
    descriptors.add(some);
    for (const entry of some) {
      rules.check(entry);
      const refusal = policy.refusal?.(entry);
      if (refusal) problems.add(refusal);
    }
  });
  const sums = totals.sums();
  const required = checksums === 'refuse' ? ['checksums are required'] : [];
  const ofSubmission = (submission?.lists ?? []).map(stateOf);
  const rejectionKey = digestOf(rules.end(sums.fingerprint), [...required, ...ofSubmission]);
  return { sums, rejectionKey, problems, warnings, entries, totals, descriptors, checksums };
}

function stateOf({ path, size, mtimeNs }: SourceEntry): string {
  return [path, String(size), String(mtimeNs)].join('\0');
}

/** Returns a key, or a digest of the key and of further conditions if there are any. */
function digestOf(key: string, conditions: readonly string[]): string {
  return conditions.length === 0 ? key : `sha256:${hash('sha256', [key, ...conditions].join('\n'))}`;
}

/**
 * Returns a text that differs if the declarations of a place, or their comparison with its files, may differ. A descriptor
 * counts with its inode and its time of change in addition to its size and modification time. To be called once.
 */
export function declarationKeyOf({ sums, descriptors }: WalkedPlace): string {
  return hash('sha256', `${sums.fingerprint}\n${descriptors.version()}`, 'base64url');
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
