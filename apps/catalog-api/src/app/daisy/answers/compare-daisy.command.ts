import { Command, UsageError, type CommandUnknownOpts } from '@rdc/cli';
import { writeFile } from 'node:fs/promises';
import type { OpenContext } from '../../../platform/command-line/command.js';
import { readText } from '../../../platform/command-line/input-file.js';
import { urlOf, type DaisyList } from '../daisy-source.js';
import { lineOf, AnswersReport } from './answers-report.js';
import { readAnswer, type SystemAnswer } from './answers-source.js';
import { compareLists, idsOf } from './compare-lists.js';

/** The lists in the order of the comparison: contracts need the projects. */
const lists: readonly DaisyList[] = ['partners', 'cohorts', 'projects', 'datasets', 'contracts'];

/** A caller of both systems. */
export interface Caller {
  readonly name: string;
  readonly daisyKey: string;
  /** The key of the catalog, or undefined if the catalog must refuse the caller. */
  readonly catalogKey: string | undefined;
}

/** The error of a comparison that found differences without a rule. */
export class DifferentAnswersError extends Error {
  override readonly name = DifferentAnswersError.name;
}

/** `compare daisy`: compares the answers of a running DAISY and a running catalog. Writes nothing into either. */
export function compareDaisyCommand(open: OpenContext): CommandUnknownOpts {
  return new Command('daisy')
    .description('compare the answers of a running DAISY and a running catalog, value by value')
    .requiredOption('--url <url>', 'URL of the running DAISY', urlOf)
    .requiredOption('--catalog <url>', 'URL of the running catalog', urlOf)
    .requiredOption(
      '--callers <file>',
      'file with one caller a line: a name, the key in DAISY and, if it differs, the key in the catalog, or - for no access',
    )
    .option('--people <file>', 'file with the subjects of people whose permissions are compared, one a line')
    .requiredOption('--report <file>', 'file for the report')
    .action(async ({ url, catalog, callers: file, people, report: reportFile }) => {
      const { print } = open();
      const callers = callersIn(await readText(file));
      const subjects = people === undefined ? [] : linesIn(await readText(people));
      const report = new AnswersReport();
      for (const caller of callers) await compareCaller({ url, catalog }, caller, report);
      await comparePeople({ url, catalog }, callers[0], subjects, report);
      await writeFile(reportFile, report.text({ daisy: url, catalog, at: new Date() }), { mode: 0o600 });
      print(report.summary());
      for (const difference of report.differences.slice(0, 20)) print(lineOf(difference));
      print(`The report is in ${reportFile}.`);
      if (report.differences.length > 0) throw new DifferentAnswersError('The answers differ without a rule.');
    });
}

/** Returns the callers in a file. @throws UsageError if a line is incomplete or the file is empty */
function callersIn(text: string): Caller[] {
  const callers = linesIn(text).map((line, index) => {
    const [name = '', daisyKey, catalogKey = daisyKey, ...rest] = line.split(/\s+/);
    if (daisyKey === undefined || rest.length > 0) {
      throw new UsageError(`--callers: line ${String(index + 1)} must have a name and one or two keys.`);
    }
    return { name, daisyKey, catalogKey: catalogKey === '-' ? undefined : catalogKey };
  });
  if (callers.length === 0) throw new UsageError('--callers is empty: it must have one caller a line.');
  return callers;
}

function linesIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The addresses of both systems. */
interface Systems {
  readonly url: string;
  readonly catalog: string;
}

async function compareCaller({ url, catalog }: Systems, caller: Caller, report: AnswersReport): Promise<void> {
  const { name, daisyKey, catalogKey } = caller;
  let projects: ReadonlySet<string> = new Set();
  for (const list of lists) {
    report.answers++;
    const daisy = await readAnswer(url, `api/${list}`, daisyKey);
    const served = await readAnswer(catalog, `api/${list}`, catalogKey ?? daisyKey);
    const statuses = { record: `${name}/${list}`, path: 'status', daisy: daisy.status, catalog: served.status };
    const hasAccess = catalogKey !== undefined;
    if (!hasAccess && isRefused(list, served)) report.explained('caller without access', statuses);
    else if (!hasAccess || daisy.status !== 200 || served.status !== 200) report.unexplained(statuses);
    else compareLists({ caller: name, list, daisy: daisy.body, catalog: served.body }, projects, report);
    if (list === 'projects') projects = idsOf(list, served.body);
  }
}

/** Whether the catalog refuses a key, or answers as without a key. */
function isRefused(list: DaisyList, { status }: SystemAnswer): boolean {
  return status === 403 || (list === 'cohorts' && status === 200);
}

async function comparePeople(
  { url, catalog }: Systems,
  caller: Caller | undefined,
  subjects: readonly string[],
  report: AnswersReport,
): Promise<void> {
  for (const subject of subjects) {
    report.people++;
    const path = `api/permissions/${encodeURIComponent(subject)}`;
    const daisy = await readAnswer(url, path, caller?.daisyKey ?? '');
    const served = await readAnswer(catalog, path, caller?.catalogKey ?? '');
    const [given, held] = [daisy, served].map(({ status, elements }) => ({ status, datasets: elements.toSorted() }));
    const isEqual = JSON.stringify(given) === JSON.stringify(held);
    report.value(isEqual);
    if (!isEqual) report.unexplained({ record: `permissions/${subject}`, path: '', daisy: given, catalog: held });
  }
}
