import type { Problem } from './problem.js';
import type { SpacePlan } from './space-plan.js';

/** The plan of an import: the findings of a walk of the delivery, before the import reads any data. */
export interface ImportPlan {
  readonly state: 'imported' | 'differs' | 'importing' | 'not_imported';
  /** Whether the delivery is complete. */
  readonly ready: boolean;
  readonly files: number;
  readonly bytes: number;
  /** Bytes that imports can still use; null if the storage has no known limit. */
  readonly free_bytes: number | null;
  /** Whether the storage has enough free bytes and inodes for the rest of the import. */
  readonly fits: boolean;
  readonly space: SpacePlan;
  readonly problem_count: number;
  readonly problems: readonly Problem[];
  readonly warning_count: number;
  readonly warnings: readonly Problem[];
  /** The start of the walk, ISO 8601. */
  readonly scanned_at: string;
  /** The plans of the datasets; only in the plan of a submission. */
  readonly datasets?: readonly PlannedDataset[];
}

/** The plan of the import of one dataset of a submission, without its problems. */
export interface PlannedDataset {
  readonly dataset_id: string;
  readonly plan: Pick<ImportPlan, 'state' | 'ready' | 'files' | 'bytes' | 'problem_count'> | null;
  /** The error with which the request for the dataset would be refused; null if it would be accepted. */
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** The number of problems, of warnings and of datasets that the plan of an import in a list contains. */
const shortCount = 20;

/** Returns a plan with its first problems, warnings and datasets. */
export function shortPlanOf(plan: ImportPlan): ImportPlan {
  const { problems, warnings, datasets } = plan;
  const short = { ...plan, problems: problems.slice(0, shortCount), warnings: warnings.slice(0, shortCount) };
  return datasets ? { ...short, datasets: datasets.slice(0, shortCount) } : short;
}
