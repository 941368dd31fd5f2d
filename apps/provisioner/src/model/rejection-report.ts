import type { SoftwareAgent } from '../process/software-agent.js';
import { countsOf, type FailureCode, type ProblemCounts } from './failure-code.js';
import type { Delivery, ImportEnding, ImportKind } from './import-record.js';

/** A listed problem of a rejected delivery. */
export interface ReportedProblem {
  /** The file or folder in the delivery; null if the problem concerns the whole delivery. */
  readonly path: string | null;
  readonly code: FailureCode;
  readonly message: string;
}

/**
 * The report of a rejected delivery for its submitter. It contains no data of the caller. Programs outside of this system
 * read it, so a member is neither renamed nor removed without another `schema`.
 */
export interface RejectionReport {
  readonly schema: 'provisioner-rejection/1';
  readonly import_id: string;
  readonly attempt: number;
  readonly kind: ImportKind;
  /** The id of the dataset, or the reference of the submission whose documents were rejected. */
  readonly subject: string;
  /** Null if the import found no delivery, or in an import of an earlier release. */
  readonly delivery: Delivery | null;
  readonly requested_at: string;
  readonly rejected_at: string;
  /** The code that decided. */
  readonly code: FailureCode;
  readonly message: string;
  readonly counts: ProblemCounts;
  /** The listed problems, sorted by path: at most 10,000 of each code. `counts` counts the others as well. */
  readonly problems: readonly ReportedProblem[];
  /** The software that rejected the delivery. */
  readonly agent: SoftwareAgent;
}

/** Returns the report of an import that was rejected; null for any other import. */
export function rejectionReportOf(ending: ImportEnding): RejectionReport | null {
  const { id, attempt, kind, subject, delivery = null, requested_at, finished_at, error, files, agent } = ending;
  if (ending.state !== 'rejected' || !error) return null;
  const problems = files.map(({ path, code, message }) => ({ path: path === '' ? null : path, code, message }));
  const { code, message, counts = countsOf(problems) } = error;
  return {
    schema: 'provisioner-rejection/1',
    ...{ import_id: id, attempt, kind, subject: subject.id, delivery, requested_at, rejected_at: finished_at },
    ...{ code, message, counts, problems, agent },
  };
}
