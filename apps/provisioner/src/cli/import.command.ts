import { Command, InvalidArgumentError, UsageError, type CommandUnknownOpts } from '@rdc/cli';
import { isDayOrInstant, utcOf } from '@rdc/http';
import { DatasetsService } from '../datasets/datasets.service.js';
import { ImportAll } from '../schedule/import-all.js';
import { SubmissionsService } from '../submissions/submissions.service.js';
import { commandRequester } from './command-requester.js';
import { sharedOptions, type CommandContext } from './command.js';
import { SubmittedImports } from './submitted-imports.js';

/** `import`: requests imports and shows their progress. */
export function importCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('import')
    .description('import datasets, or a submission as a project collection; workers run the imports, also after Ctrl-C')
    .argument('[dataset_id...]', 'ids of the datasets')
    .option('--all', 'import every dataset and submission of the diff')
    .option('--submission <reference>', 'import a submission')
    .option('--datasets <choice>', 'datasets of the submission: none, all, or ids separated by commas', datasetChoiceOf)
    .option('--reimport-of-withdrawn', 'also import datasets that were withdrawn')
    .option('--priority <number>', 'whole number from 1 (first) to 1000 (last)', priorityOf)
    .option('--not-before <instant>', 'earliest start: a day or an instant in ISO 8601', instantOf)
    .option(...sharedOptions.noWait)
    .option(...sharedOptions.json)
    .action(
      async (ids, { all = false, submission, datasets, priority, notBefore, reimportOfWithdrawn, ...options }) => {
        if ([ids.length > 0, submission !== undefined, all].filter(Boolean).length !== 1) {
          throw new UsageError('Specify dataset ids, --submission or --all, and only one of them.');
        }
        checkDatasetChoice(submission, datasets);
        const services = await context.open();
        const submitted = new SubmittedImports(context);
        const order = { priority, not_before: notBefore };
        const withdrawn = { reimport_of_withdrawn: reimportOfWithdrawn };
        const request = { ...commandRequester(), ...order };
        if (submission !== undefined) {
          const service = services.get(SubmissionsService);
          await submitted.addSubmission(service.import({ reference: submission, datasets, ...withdrawn }, request));
        }
        if (all) await submitted.addAll(services.get(ImportAll).run('request', request));
        for (const dataset_id of ids) {
          const service = services.get(DatasetsService);
          await submitted.add(dataset_id, service.import({ dataset_id, ...order, ...withdrawn }, commandRequester()));
        }
        await submitted.finish('importing', options);
      },
    );
}

/** Parses the option `--datasets`. */
export function datasetChoiceOf(text: string): 'none' | 'all' | string[] {
  if (text === 'none' || text === 'all') return text;
  const ids = text.split(',').filter(Boolean);
  if (ids.length > 0) return ids;
  throw new InvalidArgumentError('It must be "none", "all" or dataset ids separated by commas.');
}

/** @throws UsageError if datasets are selected without a submission */
export function checkDatasetChoice(submission: string | undefined, choice: 'none' | 'all' | string[] = 'none'): void {
  if (submission === undefined && choice !== 'none') throw new UsageError('--datasets requires --submission.');
}

function priorityOf(text: string): number {
  const priority = Number(text);
  if (Number.isInteger(priority) && priority >= 1 && priority <= 1000) return priority;
  throw new InvalidArgumentError('It must be a whole number from 1 (first) to 1000 (last).');
}

function instantOf(text: string): string {
  if (isDayOrInstant(text)) return utcOf(text);
  throw new InvalidArgumentError(
    'It must be a day or an instant in ISO 8601, e.g. 2026-12-01T02:00:00Z. Without an offset, the time is UTC.',
  );
}
