import { Command, UsageError, type CommandUnknownOpts } from '@rdc/cli';
import { DatasetsService } from '../datasets/datasets.service.js';
import type { PlanOfImport, PlannedDataset } from '../imports/import-plan.js';
import { toDryRun } from '../imports/import.responder.js';
import { ImportsService } from '../imports/imports.service.js';
import { SubmissionsService } from '../submissions/submissions.service.js';
import type { SubmitResult } from '../imports/import-requests.js';
import { sharedOptions, type CommandContext } from './command.js';
import { exitCodes } from './exit-codes.js';
import { commandRequester } from './command-requester.js';
import { printImport } from './follow.js';
import { checkDatasetChoice, datasetChoiceOf } from './import.command.js';
import { escapeUnsafe } from '../model/unsafe-names.js';
import { sizeText } from './text.js';

/** `plan`: shows the outcome of an import and the problems that would prevent it. */
export function planCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('plan')
    .description('show the outcome of an import and all problems that would prevent it, without importing')
    .argument('[dataset_id]', 'id of the dataset')
    .option('--submission <reference>', 'plan the import of a submission')
    .option('--datasets <choice>', 'datasets of the submission: none, all, or ids separated by commas', datasetChoiceOf)
    .option('--reimport-of-withdrawn', 'also plan the import of datasets that were withdrawn')
    .option(...sharedOptions.json)
    .action(async (id, { submission, datasets: choice, reimportOfWithdrawn: reimport_of_withdrawn, json = false }) => {
      if ((id === undefined) === (submission === undefined)) {
        throw new UsageError('Specify either one dataset id or --submission.');
      }
      checkDatasetChoice(submission, choice);
      const services = await context.open();
      const submit = (): Promise<SubmitResult> =>
        submission === undefined
          ? services.get(DatasetsService).plan({ dataset_id: id ?? '', reimport_of_withdrawn }, commandRequester())
          : services
              .get(SubmissionsService)
              .plan({ reference: submission, datasets: choice ?? 'none', reimport_of_withdrawn }, commandRequester());
      const { response } = await services.get(ImportsService).plan(submit, Number.POSITIVE_INFINITY);
      const { subject, plan } = response;
      if (!plan) {
        printImport(response, context, json);
        context.setExitCode(exitCodes.unfinished);
        return;
      }
      for (const line of json ? [JSON.stringify(toDryRun(response))] : linesOf(subject, plan)) context.print(line);
      const { fits, datasets = [] } = plan;
      const isImportable = fits && isClear(plan) && datasets.every((dataset) => dataset.plan && isClear(dataset.plan));
      context.setExitCode(isImportable ? exitCodes.done : exitCodes.refused);
    });
}

function* linesOf(subject: string, plan: PlanOfImport): Generator<string> {
  const { free_bytes, fits, problem_count, problems, warnings, datasets = [] } = plan;
  const free = free_bytes === null ? 'free space unknown' : `${sizeText(free_bytes)} free`;
  yield `${lineOf(subject, plan)}; ${free}`;
  if (!fits) yield 'Not enough storage space.';
  for (const { code, path, message } of problems) yield escapeUnsafe(`${code}  ${path ?? subject}  ${message}`);
  if (problem_count > problems.length) yield `${String(problem_count - problems.length)} more problems are not listed.`;
  for (const { code, path, message } of warnings)
    yield escapeUnsafe(`warning  ${code}  ${path ?? subject}  ${message}`);
  for (const dataset of datasets) yield escapeUnsafe(datasetLineOf(dataset));
}

type ShortPlan = NonNullable<PlannedDataset['plan']>;

function isClear({ ready, problem_count, state }: ShortPlan): boolean {
  return ready && problem_count === 0 && state !== 'differs';
}

function lineOf(subject: string, { state, ready, files, bytes }: Omit<ShortPlan, 'problem_count'>): string {
  return `${subject}: ${state}, ${ready ? 'ready' : 'not ready'}; ${String(files)} files, ${sizeText(bytes)}`;
}

/** Returns a dataset as one line. A plan of the dataset lists its problems. */
function datasetLineOf({ dataset_id, plan, error }: PlannedDataset): string {
  if (!plan) return `${dataset_id}: ${error?.code ?? ''}: ${error?.message ?? ''}`;
  return `${lineOf(dataset_id, plan)}${plan.problem_count > 0 ? `; ${String(plan.problem_count)} problems` : ''}`;
}
