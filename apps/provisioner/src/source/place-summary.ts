import type { ProblemCode } from './problem.js';
import type { Survey } from './survey.js';

/** What lists show of a scanned place; kept in memory for every place there is, whatever its size. */
export interface PlaceSummary extends Pick<Survey, 'files' | 'bytes' | 'modifiedAt' | 'fingerprint'> {
  readonly title: string | null;
  /** Algorithms of the checksums that are declared. */
  readonly checksums: readonly string[];
  /** Each once. */
  readonly problems: readonly ProblemCode[];
  /** From when on it counts as complete, in milliseconds since 1970. */
  readonly readyFrom: number;
}

export function summaryOf(survey: Survey, readyFrom: number): PlaceSummary {
  const { files, bytes, modifiedAt, fingerprint, declarations, problems } = survey;
  return {
    ...{ files, bytes, modifiedAt, fingerprint, readyFrom },
    title: declarations.title,
    checksums: declarations.files.algorithms,
    problems: problems.codes,
  };
}
