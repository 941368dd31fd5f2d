import { argumentsOf, UsageError } from '@rdc/cli';
import { DatasetsService } from '../datasets/datasets.service.js';
import type { ImportPlan } from '../imports/import-plan.js';
import type { PlannedDataset, SubmissionPlan } from '../submissions/submission-plan.js';
import { SubmissionsService } from '../submissions/submissions.service.js';
import type { Command } from './command.js';
import { exitCodes } from './exit-codes.js';
import { datasetChoiceOf } from './import.command.js';
import { sizeText, visible } from './text.js';

const options = {
  submission: { type: 'string' },
  datasets: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

/** `plan`: what an import would do, and everything that stands in its way. */
export const planCommand: Command = {
  usage: 'plan <dataset_id> | --submission REFERENCE [--datasets none|all|ID,...] [--json]',
  summary: 'what an import would do, and all that stands in its way; does nothing',
  async run(args, { open, print }) {
    const { values, positionals } = argumentsOf(args, options);
    const [id, ...more] = positionals;
    const { submission } = values;
    if (more.length > 0 || (id === undefined) === (submission === undefined)) {
      throw new UsageError('Name one dataset, or one submission.');
    }
    const choice = datasetChoiceOf(submission, values.datasets);
    const services = await open();
    const plan: ImportPlan & Partial<SubmissionPlan> =
      submission === undefined
        ? await services.get(DatasetsService).plan({ dataset_id: id ?? '' })
        : await services.get(SubmissionsService).plan({ reference: submission, datasets: choice });
    const { subject, state, ready, files, bytes, free_bytes, fits, problem_count, problems } = plan;
    const { warnings, datasets = [] } = plan;
    if (values.json) print(JSON.stringify(plan));
    else {
      const free = free_bytes === null ? 'room unknown' : `${sizeText(free_bytes)} free`;
      print(`${lineOf(subject, { state, ready, files, bytes })}; ${free}`);
      if (!fits) print('It does not fit.');
      for (const { code, path, message } of problems) print(visible(`${code}  ${path ?? subject}  ${message}`));
      if (problem_count > problems.length) print(`${String(problem_count - problems.length)} more are not named.`);
      for (const { code, path, message } of warnings)
        print(visible(`warning  ${code}  ${path ?? subject}  ${message}`));
      for (const dataset of datasets) print(visible(datasetLineOf(dataset)));
    }
    const isPossible = fits && isClear(plan) && datasets.every((dataset) => dataset.plan && isClear(dataset.plan));
    return isPossible ? exitCodes.done : exitCodes.refused;
  },
};

type ShortPlan = NonNullable<PlannedDataset['plan']>;

function isClear({ ready, problem_count, state }: ShortPlan): boolean {
  return ready && problem_count === 0 && state !== 'differs';
}

function lineOf(subject: string, { state, ready, files, bytes }: Omit<ShortPlan, 'problem_count'>): string {
  return `${subject}: ${state}, ${ready ? 'ready' : 'not ready'}; ${String(files)} files, ${sizeText(bytes)}`;
}

/** A dataset in a line; what its problems are says a plan of its own. */
function datasetLineOf({ dataset_id, plan, error }: PlannedDataset): string {
  if (!plan) return `${dataset_id}: ${error?.code ?? ''}: ${error?.message ?? ''}`;
  return `${lineOf(dataset_id, plan)}${plan.problem_count > 0 ? `; ${String(plan.problem_count)} problems` : ''}`;
}
