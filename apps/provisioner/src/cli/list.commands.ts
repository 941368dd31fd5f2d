import { argumentsOf, UsageError } from '@rdc/cli';
import { datasetStates, type DatasetResponse } from '../datasets/dataset.response.js';
import { DatasetsService } from '../datasets/datasets.service.js';
import type { Listing } from '../http/list.answer.js';
import { SourceScan } from '../scan/source-scan.js';
import { submissionStates, type SubmissionResponse } from '../submissions/submission.response.js';
import { SubmissionsService } from '../submissions/submissions.service.js';
import type { Command, CommandContext } from './command.js';
import { sizeText, tableLines } from './text.js';

const options = {
  state: { type: 'string' },
  q: { type: 'string' },
  submission: { type: 'string' },
  'no-scan': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

const usage = '[datasets|submissions] [--state STATE] [--q TEXT] [--submission REFERENCE] [--no-scan] [--json]';

/** `list`: lists the datasets or submissions of the source with their states in storage. */
export const listCommand: Command = {
  usage: `list ${usage}`,
  summary:
    'list the datasets or submissions of the source with their import states; --no-scan is faster but omits sizes',
  run: (args, context) => show(args, context, 'all'),
};

/** `diff`: lists the datasets or submissions that are not imported. */
export const diffCommand: Command = {
  usage: `diff ${usage}`,
  summary: 'list the datasets or submissions that are not imported',
  run: (args, context) => show(args, context, 'diff'),
};

async function show(args: readonly string[], context: CommandContext, which: 'all' | 'diff'): Promise<undefined> {
  const { values, positionals } = argumentsOf(args, options);
  const [what = 'datasets', ...more] = positionals;
  if (!['datasets', 'submissions'].includes(what) || more.length > 0) {
    throw new UsageError(`Expected "datasets" or "submissions", not "${positionals.join(' ')}".`);
  }
  const { state, q, submission } = values;
  const isDatasetList = what === 'datasets';
  if (!isDatasetList && submission !== undefined) throw new UsageError('--submission requires a list of datasets.');
  const states: readonly string[] = isDatasetList ? datasetStates : submissionStates;
  if (state !== undefined && !states.includes(state))
    throw new UsageError(`--state must be one of ${states.join(', ')}.`);
  const services = await context.open();
  if (!values['no-scan']) await services.get(SourceScan).scan();
  const query = { q, submission, state: state as never };
  if (isDatasetList) {
    const datasets = services.get(DatasetsService);
    print(context, await (which === 'all' ? datasets.search(query) : datasets.searchDiff(query)), values.json, [
      ['DATASET', ({ id }) => id],
      ['SUBMISSION', (each) => each.submission],
      ...sharedColumns,
    ]);
  } else {
    const submissions = services.get(SubmissionsService);
    print(context, await (which === 'all' ? submissions.search(query) : submissions.searchDiff(query)), values.json, [
      ['SUBMISSION', ({ reference }) => reference],
      ['DATASETS', ({ datasets: { imported, total } }) => `${String(imported)}/${String(total)}`],
      ...sharedColumns,
    ]);
  }
  return undefined;
}

type Column<T> = readonly [head: string, cell: (item: T) => string];

const sharedColumns: readonly Column<DatasetResponse | SubmissionResponse>[] = [
  ['STATE', ({ state }) => state],
  ['READY', ({ ready }) => (ready ? 'yes' : 'no')],
  ['FILES', ({ files }) => (files === null ? '-' : String(files))],
  ['SIZE', ({ bytes }) => (bytes === null ? '-' : sizeText(bytes))],
  ['PROBLEMS', ({ problems }) => problems.join(',') || '-'],
  ['TITLE', ({ title }) => title ?? '-'],
];

function print<S, T>(
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
