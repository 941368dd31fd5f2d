import { Argument, Command, InvalidArgumentError, UsageError, type CommandUnknownOpts } from '@rdc/cli';
import { defaultRemovableDays } from '../datasets/datasets.query.js';
import { DatasetsService } from '../datasets/datasets.service.js';
import { SubmissionsService } from '../submissions/submissions.service.js';
import { sharedOptions, type CommandContext } from './command.js';
import { printListing } from './list.commands.js';
import { sizeText } from './text.js';

/** `removable`: lists what can be deleted from the source. */
export function removableCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('removable')
    .description(
      'list datasets or submissions that can be deleted from the source, because the storage has the same data',
    )
    .addArgument(
      new Argument('[kind]', 'items to list').choices(['datasets', 'submissions'] as const).default('datasets'),
    )
    .option('--older-than-days <number>', `least age of the import (default: ${String(defaultRemovableDays)})`, daysOf)
    .option('--q <text>', 'text that the id or the title contains')
    .option('--submission <reference>', 'submission of the datasets')
    .option(...sharedOptions.json)
    .action(async (kind, { olderThanDays: older_than_days, q, submission, json = false }) => {
      if (kind === 'submissions' && submission !== undefined)
        throw new UsageError('--submission requires a list of datasets.');
      const services = await context.open();
      if (kind === 'datasets') {
        const found = await services.get(DatasetsService).searchRemovable({ older_than_days, q, submission }, Infinity);
        printListing(context, found, json, [
          ['SOURCE PATH', ({ source_path }) => source_path],
          ['FILES', ({ files }) => String(files)],
          ['SIZE', ({ bytes }) => sizeText(bytes)],
          ['IMPORTED', ({ imported_at }) => imported_at],
          ['VERIFIED', ({ verified_on, verified_by }) => `${verified_on} by ${verified_by}`],
        ]);
      } else {
        printListing(
          context,
          await services.get(SubmissionsService).searchRemovable({ older_than_days, q }, Infinity),
          json,
          [
            ['SOURCE PATH', ({ source_path }) => source_path],
            ['DATASETS', ({ datasets }) => String(datasets.length)],
            ['IMPORTED', ({ imported_at }) => imported_at],
            ['VERIFIED', ({ verified_on }) => verified_on ?? '-'],
          ],
        );
      }
    });
}

function daysOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 36_500) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of days from 0 to 36500.');
}
