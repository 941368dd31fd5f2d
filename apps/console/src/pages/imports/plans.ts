import { bodyOf, provisioner } from '../../api/client.ts';
import { texts } from '../../texts/texts.ts';
import {
  getImport,
  type ImportAllPlan,
  type ImportPlan,
  type ImportRun,
  type PlanOfImport,
  type SubmissionPlan,
} from './calls.ts';
import { isEnded } from './live-import.ts';
import type { PlanSummary } from './plan-view.tsx';
import { countText, sizeText } from './quantities.ts';

const { fields, plan: words, of, problemOf } = texts.imports;
const query = { dry_run: 'true' } as const;

/** The interval at which the state of a plan is requested. */
const pollMs = 2_000;

/** Returns the plan of a dataset's import. @param isWithdrawn whether the dataset was withdrawn */
export async function planOfDataset(id: string, isWithdrawn: boolean, signal: AbortSignal): Promise<PlanSummary> {
  const body = { dataset_id: id, reimport_of_withdrawn: isWithdrawn };
  const answer = await bodyOf(provisioner.POST('/datasets/srcsys/import', { params: { query }, body, signal }));
  return summaryOf(await completed(answer, signal));
}

/** Returns the plan of the import of a submission's documents and, with `all`, its datasets. */
export async function planOfSubmission(
  reference: string,
  datasets: 'all' | 'none',
  signal: AbortSignal,
): Promise<PlanSummary> {
  const body = { reference, datasets };
  const answer = await bodyOf(provisioner.POST('/submissions/srcsys/import', { params: { query }, body, signal }));
  const plan = await completed(answer, signal);
  const summary = summaryOf(plan);
  const missing = (plan.datasets ?? []).filter((each) => each.plan?.state !== 'imported');
  if (missing.length === 0) return summary;
  const bytes = missing.reduce((total, each) => total + (each.plan?.bytes ?? 0), 0);
  const line = [fields.missingDatasets, of(countText(missing.length), sizeText(bytes))] as const;
  const problems = [...summary.problems, ...missing.flatMap(problemsOf)];
  return { ...summary, lines: [...summary.lines, line], problems };
}

/** Returns the plan of a dry run. If the delivery is large, waits until the plan is complete. */
async function completed(answer: ImportPlan | SubmissionPlan | ImportRun, signal: AbortSignal): Promise<PlanOfImport> {
  if ('dry_run' in answer) return answer;
  let run = answer;
  while (!isEnded(run)) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    run = await getImport(run.id, signal);
  }
  if (!run.plan) throw new Error(run.error?.message ?? run.state);
  return run.plan;
}

/** Summarizes the problems of one dataset of a submission. The plan of the dataset lists every file. */
function problemsOf({ dataset_id: id, plan, error }: SubmissionPlan['datasets'][number]): string[] {
  if (!plan) return [`${id}: ${error?.message ?? ''}`];
  return [
    ...(plan.ready ? [] : [words.datasetNotReady(id)]),
    ...(plan.problem_count > 0 ? [words.datasetProblems(id, plan.problem_count)] : []),
  ];
}

function summaryOf({ files, bytes, free_bytes, fits, ready, problems }: PlanOfImport): PlanSummary {
  return {
    lines: [
      [fields.files, countText(files)],
      [fields.size, sizeText(bytes)],
    ],
    ...{ freeBytes: free_bytes, fits, isReady: ready },
    problems: problems.map(({ path, message }) => (path === undefined ? message : `${path}: ${message}`)),
  };
}

/** Returns the plan of all missing imports. */
export async function planOfAll(): Promise<PlanSummary> {
  const plan = (await bodyOf(provisioner.POST('/imports/run', { params: { query } }))) as ImportAllPlan;
  const { datasets, submissions, files, bytes, free_bytes, fits, skipped } = plan;
  return {
    lines: [
      [words.what, words.imports(countText(datasets), countText(submissions))],
      [fields.files, countText(files)],
      [fields.size, sizeText(bytes)],
      [words.skipped, skippedText(skipped)],
    ],
    ...{ freeBytes: free_bytes, fits, isReady: true, isNothing: datasets + submissions === 0, problems: [] },
  };
}

/** Returns the number of skipped imports for each reason. */
export function skippedText(skipped: Readonly<Record<string, number>>): string {
  return Object.entries(skipped)
    .map(([code, count]) => words.skippedEntry(count, problemOf(code)))
    .join('; ');
}
