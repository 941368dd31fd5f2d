import { Argument, Command, Option, UsageError, type CommandUnknownOpts } from '@rdc/cli';
import { datasetStates, type DatasetResponse } from '../datasets/dataset.response.js';
import { DatasetsService } from '../datasets/datasets.service.js';
import { holders } from '../inventory/held-places.js';
import type { Listing } from '../http/list.answer.js';
import { ScanRounds } from '../scan/scan-rounds.js';
import { submissionStates, type SubmissionResponse } from '../submissions/submission.response.js';
import { SubmissionsService } from '../submissions/submissions.service.js';
import { sharedOptions, type CommandContext } from './command.js';
import { sizeText, tableLines } from './text.js';

/** `list`: lists the datasets or submissions of the source and the storage with their states. */
export function listCommand(context: CommandContext): CommandUnknownOpts {
  return command(
    'list',
    'list the datasets or submissions of the source and the storage with their import states',
    context,
  );
}

/** `diff`: lists the datasets or submissions that are not imported. */
export function diffCommand(context: CommandContext): CommandUnknownOpts {
  return command('diff', 'list the datasets or submissions that are not imported', context);
}

function command(name: 'list' | 'diff', description: string, context: CommandContext): CommandUnknownOpts {
  return new Command(name)
    .description(description)
    .addArgument(
      new Argument('[kind]', 'items to list').choices(['datasets', 'submissions'] as const).default('datasets'),
    )
    .option('--state <state>', `one of ${[...new Set([...datasetStates, ...submissionStates])].join(', ')}`)
    .addOption(new Option('--held-in <systems>', 'systems that contain the items').choices(holders))
    .option('--q <text>', 'text that the id or the title contains')
    .option('--submission <reference>', 'submission of the datasets')
    .option('--no-scan', 'do not scan the source: faster, but omits sizes')
    .option(...sharedOptions.json)
    .action(async (kind, { scan, json = false, heldIn: held_in, ...filters }) => {
      checkFilters(kind, filters);
      const services = await context.open();
      if (scan) await services.get(ScanRounds).once();
      const query = { ...filters, held_in, state: filters.state as never };
      const search = name === 'list' ? 'search' : 'searchDiff';
      if (kind === 'datasets') {
        printListing(context, await services.get(DatasetsService)[search](query), json, [
          ['DATASET', ({ id }) => id],
          ['SUBMISSION', (each) => each.submission],
          ...sharedColumns,
        ]);
      } else {
        printListing(context, await services.get(SubmissionsService)[search](query), json, [
          ['SUBMISSION', ({ reference }) => reference],
          ['DATASETS', ({ datasets: { imported, total } }) => `${String(imported)}/${String(total)}`],
          ...sharedColumns,
        ]);
      }
    });
}

function checkFilters(
  kind: string,
  { state, submission }: { readonly state?: string; readonly submission?: string },
): void {
  if (kind === 'submissions' && submission !== undefined)
    throw new UsageError('--submission requires a list of datasets.');
  const states: readonly string[] = kind === 'datasets' ? datasetStates : submissionStates;
  if (state !== undefined && !states.includes(state))
    throw new UsageError(`--state must be one of ${states.join(', ')}.`);
}

/** A column of a table: its heading and the text of an item. */
export type Column<T> = readonly [head: string, cell: (item: T) => string];

const sharedColumns: readonly Column<DatasetResponse | SubmissionResponse>[] = [
  ['STATE', ({ state }) => state],
  ['HELD IN', ({ held_in }) => held_in ?? '-'],
  ['READY', ({ ready }) => (ready ? 'yes' : 'no')],
  ['FILES', ({ files }) => (files === null ? '-' : String(files))],
  ['SIZE', ({ bytes }) => (bytes === null ? '-' : sizeText(bytes))],
  ['PROBLEMS', ({ problems }) => problems.join(',') || '-'],
  ['TITLE', ({ title }) => title ?? '-'],
];

/** Prints a listing as lines of JSON or as a table. */
export function printListing<S, T>(
  { print: write, remark }: CommandContext,
  { select, toItem }: Listing<S, T>,
  json: boolean,
  columns: readonly Column<T>[],
): void {
  if (json) {
    for (const subject of select()) write(JSON.stringify(toItem(subject)));
    return;
  }
  const rows = select().map((subject) => {
    const item = toItem(subject);
    return columns.map(([, cell]) => cell(item));
  });
  if (rows.length === 0) remark('No matching items.');
  else
    for (const line of tableLines(
      columns.map(([head]) => head),
      rows,
    ))
      write(line);
}
