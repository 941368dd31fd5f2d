import type { PlaceSummary } from '../model/place-summary.js';
import type { ProblemCode } from '../model/problem.js';
import { ProblemList } from '../model/problem-list.js';
import type { SourcePlace, SubmissionDescription } from '../model/source-system.js';
import {
  declarationKeyOf,
  declarePlace,
  walkPlace,
  type ScanResult,
  type ScanPolicy,
  type ScanTools,
  type WalkedPlace,
} from './place-scan.js';

/** The declarations of a place in short. They are kept, so that the descriptors of an unchanged place are not read again. */
export interface DeclaredSummary {
  /** See `declarationKeyOf`. */
  readonly key: string;
  readonly title: string | null;
  readonly description: SubmissionDescription | null;
  readonly checksums: readonly string[];
  readonly problems: readonly ProblemCode[];
  readonly warnings: readonly ProblemCode[];
  readonly isCompleteBag: boolean;
}

/** A place after its scan for lists. */
export interface SummarisedPlace {
  readonly declared: DeclaredSummary;
  readonly summary: Omit<PlaceSummary, 'readyFrom' | 'unchangedSince'>;
}

/** Walks a place for lists. Reads its descriptors unless `known` is the result for their present state. */
export async function summarisePlace(
  tools: ScanTools,
  place: SourcePlace,
  policy: ScanPolicy,
  known: DeclaredSummary | undefined,
): Promise<SummarisedPlace> {
  const scannedAt = new Date().toISOString();
  const top = await tools.source.topOf(place);
  const walked = await walkPlace(tools, place, policy);
  try {
    const key = declarationKeyOf(walked);
    const declared = known?.key === key ? known : await declaredBy(tools, place, walked, key);
    const { files, bytes, modifiedAt, fingerprint, changedAt } = walked.sums;
    const { title, checksums } = declared;
    const problems = [...new Set([...walked.problems.codes, ...declared.problems])];
    const warnings = [...new Set([...walked.warnings.codes, ...declared.warnings])];
    const sums = { files, bytes, modifiedAt, changedAt, fingerprint, rejectionKey: walked.rejectionKey };
    return { declared, summary: { ...sums, title, checksums, problems, warnings, scannedAt, top } };
  } finally {
    walked.entries.release();
    walked.descriptors.release();
  }
}

/** Returns the summary of a place that was scanned for an import. */
export function summaryOfScan(
  scan: ScanResult,
  walk: Pick<PlaceSummary, 'readyFrom' | 'unchangedSince' | 'scannedAt' | 'top'>,
): PlaceSummary {
  const { readyFrom, unchangedSince, scannedAt, top } = walk;
  const { files, bytes, modifiedAt, changedAt, fingerprint, rejectionKey, declarations, problems, warnings } = scan;
  const sums = { files, bytes, modifiedAt, changedAt, fingerprint, rejectionKey };
  const { title, algorithms: checksums } = declarations;
  const found = { ...sums, title, checksums, problems: problems.codes, warnings: warnings.codes };
  return { ...found, readyFrom, unchangedSince, scannedAt, top };
}

async function declaredBy(
  tools: ScanTools,
  place: SourcePlace,
  walked: WalkedPlace,
  key: string,
): Promise<DeclaredSummary> {
  const report = { problems: new ProblemList(), warnings: new ProblemList() };
  const { declarations, isCompleteBag } = await declarePlace(tools, place, walked, report, false);
  const { title, description, algorithms } = declarations;
  const { problems, warnings } = report;
  const codes = { problems: problems.codes, warnings: warnings.codes };
  return { key, title, description, checksums: algorithms, ...codes, isCompleteBag };
}
