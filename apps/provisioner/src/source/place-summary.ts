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

/** A scanned place in lists. Every place of the source has a summary in memory, so its size has a limit. */
export interface PlaceSummary extends Pick<
  ScanResult,
  'files' | 'bytes' | 'modifiedAt' | 'fingerprint' | 'rejectionKey'
> {
  readonly title: string | null;
  /** Algorithms of the declared checksums. */
  readonly checksums: readonly string[];
  /** Codes of the problems for which the place is refused, each once. */
  readonly problems: readonly ProblemCode[];
  /** Codes of the problems that do not refuse the place, each once. */
  readonly warnings: readonly ProblemCode[];
  /** The time from which the place counts as complete, in milliseconds since 1970. */
  readonly readyFrom: number;
}

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
  readonly changedAt: number;
  readonly declared: DeclaredSummary;
  readonly summary: Omit<PlaceSummary, 'readyFrom'>;
}

/** Walks a place for lists. Reads its descriptors unless `known` is the result for their present state. */
export async function summarisePlace(
  tools: ScanTools,
  place: SourcePlace,
  policy: ScanPolicy,
  known: DeclaredSummary | undefined,
): Promise<SummarisedPlace> {
  const walked = await walkPlace(tools, place, policy);
  try {
    const key = declarationKeyOf(walked);
    const declared = known?.key === key ? known : await declaredBy(tools, place, walked, key);
    const { files, bytes, modifiedAt, fingerprint, changedAt } = walked.sums;
    const { title, checksums } = declared;
    const problems = [...new Set([...walked.problems.codes, ...declared.problems])];
    const warnings = [...new Set([...walked.warnings.codes, ...declared.warnings])];
    const { rejectionKey } = walked;
    const summary = { files, bytes, modifiedAt, fingerprint, rejectionKey, title, checksums, problems, warnings };
    return { changedAt, declared, summary };
  } finally {
    walked.entries.release();
    walked.descriptors.release();
  }
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
