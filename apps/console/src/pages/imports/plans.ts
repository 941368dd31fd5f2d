import { bodyOf, provisioner } from '../../api/client.ts';
import { texts } from '../../texts/texts.ts';
import type { ImportAllPlan, ImportPlan, SubmissionPlan } from './calls.ts';
import type { PlanSummary } from './plan-view.tsx';
import { countText, sizeText } from './quantities.ts';

const { fields, plan: words, of, problemOf } = texts.imports;
const query = { dry_run: 'true' } as const;

/** Returns the plan of a dataset's import. @param isWithdrawn whether the dataset was withdrawn */
export async function planOfDataset(id: string, isWithdrawn: boolean): Promise<PlanSummary> {
  const body = { dataset_id: id, reimport_of_withdrawn: isWithdrawn };
  const plan = await bodyOf(provisioner.POST('/datasets/srcsys/import', { params: { query }, body }));
  return summaryOf(plan as ImportPlan);
}

/** Returns the plan of the import of a submission's documents and, with `all`, its datasets. */
export async function planOfSubmission(reference: string, datasets: 'all' | 'none'): Promise<PlanSummary> {
  const body = { reference, datasets };
  const plan = await bodyOf(provisioner.POST('/submissions/srcsys/import', { params: { query }, body }));
  const summary = summaryOf(plan as SubmissionPlan);
  const missing = (plan as SubmissionPlan).datasets.filter((each) => each.plan?.state !== 'imported');
  if (missing.length === 0) return summary;
  const bytes = missing.reduce((total, each) => total + (each.plan?.bytes ?? 0), 0);
  const line = [fields.missingDatasets, of(countText(missing.length), sizeText(bytes))] as const;
  const problems = [...summary.problems, ...missing.flatMap(problemsOf)];
  return { ...summary, lines: [...summary.lines, line], problems };
}

/** Summarizes the problems of one dataset of a submission. The plan of the dataset lists every file. */
function problemsOf({ dataset_id: id, plan, error }: SubmissionPlan['datasets'][number]): string[] {
  if (!plan) return [`${id}: ${error?.message ?? ''}`];
  return [
    ...(plan.ready ? [] : [words.datasetNotReady(id)]),
    ...(plan.problem_count > 0 ? [words.datasetProblems(id, plan.problem_count)] : []),
  ];
}

function summaryOf({ files, bytes, free_bytes, fits, ready, problems }: ImportPlan): PlanSummary {
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
