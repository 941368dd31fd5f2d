import { bodyOf, provisioner } from '../../api/client.ts';
import { texts } from '../../texts/texts.ts';
import type { ImportAllPlan, ImportPlan } from './calls.ts';
import type { PlanSummary } from './plan-view.tsx';
import { countText, sizeText } from './quantities.ts';

const { fields, plan: words, of, problemOf } = texts.imports;
const query = { dry_run: 'true' } as const;

/** What an import of one dataset would do. */
export async function planOfDataset(id: string): Promise<PlanSummary> {
  const body = { dataset_id: id };
  const plan = await bodyOf(provisioner.POST('/datasets/srcsys/import', { params: { query }, body }));
  return summaryOf(plan as ImportPlan);
}

/** What an import of a submission's documents would do, and of those of its datasets that are missing. */
export async function planOfSubmission(reference: string): Promise<PlanSummary> {
  const [plan, diff] = await Promise.all([
    bodyOf(
      provisioner.POST('/submissions/srcsys/import', { params: { query }, body: { reference, datasets: 'none' } }),
    ),
    bodyOf(provisioner.GET('/datasets/srcsys/diff', { params: { query: { submission: reference } } })),
  ]);
  const summary = summaryOf(plan as ImportPlan);
  const bytes = diff.items.reduce((total, each) => total + (each.bytes ?? 0), 0);
  const missing = [fields.missingDatasets, of(countText(diff.items.length), sizeText(bytes))] as const;
  return { ...summary, lines: [...summary.lines, missing] };
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

/** What importing everything that is missing would do. */
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

/** How many were left alone, by why. */
export function skippedText(skipped: Readonly<Record<string, number>>): string {
  return Object.entries(skipped)
    .map(([code, count]) => words.skippedEntry(count, problemOf(code)))
    .join('; ');
}
