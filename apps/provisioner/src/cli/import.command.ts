import { argumentsOf, UsageError } from '@rdc/cli';
import { AppError } from '@rdc/errors';
import { isDayOrInstant, utcOf } from '@rdc/http';
import { DatasetsService } from '../datasets/datasets.service.js';
import type { SubmitResult } from '../imports/import-requests.js';
import { ImportsService } from '../imports/imports.service.js';
import { ImportAll } from '../schedule/import-all.js';
import type { ImportAllReport } from '../schedule/import-all-report.js';
import { SubmissionsService, type SubmissionSubmitResult } from '../submissions/submissions.service.js';
import { commandRequester } from './command-requester.js';
import type { Command, CommandContext } from './command.js';
import { exitCodeOf, exitCodes } from './exit-codes.js';
import { follow, linesOf } from './follow.js';

const options = {
  submission: { type: 'string' },
  datasets: { type: 'string' },
  all: { type: 'boolean', default: false },
  priority: { type: 'string' },
  'not-before': { type: 'string' },
  'no-wait': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

/** `import`: requests imports and shows their progress. */
export const importCommand: Command = {
  usage:
    'import <dataset_id>... | --all | --submission REFERENCE [--datasets none|all|ID,...] [--priority 1..1000] [--not-before INSTANT] [--no-wait] [--json]',
  summary: 'import datasets, or a submission as a project collection; workers run the imports, also after Ctrl-C',
  async run(args, context) {
    const { values, positionals: ids } = argumentsOf(args, options);
    const { submission } = values;
    if ([ids.length > 0, submission !== undefined, values.all].filter(Boolean).length !== 1) {
      throw new UsageError('Specify dataset ids, --submission or --all, and only one of them.');
    }
    const datasets = datasetChoiceOf(submission, values.datasets);
    const order = { priority: priorityOf(values.priority), not_before: instantOf(values['not-before']) };
    const services = await context.open();
    const submitted = new SubmittedImports(context);
    if (submission !== undefined) {
      const service = services.get(SubmissionsService);
      await submitted.addSubmission(
        service.import({ reference: submission, datasets }, { ...commandRequester(), ...order }),
      );
    }
    if (values.all) await submitted.addAll(services.get(ImportAll).run('request', { ...commandRequester(), ...order }));
    for (const dataset_id of ids) {
      await submitted.add(
        dataset_id,
        services.get(DatasetsService).import({ dataset_id, ...order }, commandRequester()),
      );
    }
    const imports = services.get(ImportsService);
    if (values['no-wait']) return submitted.printAll(imports, values.json);
    const code = await follow(submitted.ids, { imports, context, json: values.json, label: 'importing' });
    return Math.max(code, submitted.code);
  },
};

/** Returns the datasets of a submission that the option `--datasets` selects. @throws UsageError if it is invalid */
export function datasetChoiceOf(submission: string | undefined, text = 'none'): 'none' | 'all' | string[] {
  if (submission === undefined && text !== 'none') throw new UsageError('--datasets requires --submission.');
  if (text === 'none' || text === 'all') return text;
  const ids = text.split(',').filter(Boolean);
  if (ids.length === 0) throw new UsageError('--datasets must be "none", "all" or dataset ids separated by commas.');
  return ids;
}

/** The results of several import requests. A refused request does not affect the others. */
export class SubmittedImports {
  readonly ids: string[] = [];
  /** The exit code for the refused requests. */
  code: number = exitCodes.done;

  constructor(private readonly context: CommandContext) {}

  /** Adds the result of a request for one import. */
  async add(subject: string, request: Promise<SubmitResult>): Promise<void> {
    try {
      this.ids.push((await request).import.id);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.refuse(subject, error);
      this.code = Math.max(this.code, exitCodeOf(error));
    }
  }

  /** Adds the results of a request for a submission and its datasets. */
  async addSubmission(request: Promise<SubmissionSubmitResult>): Promise<void> {
    const { import: collection, datasets } = await request;
    this.ids.push(collection.id);
    for (const { dataset_id, import_id, error } of datasets) {
      if (import_id !== null) this.ids.push(import_id);
      if (!error) continue;
      this.refuse(dataset_id, error);
      this.code = exitCodes.refused;
    }
  }

  /** Adds the imports of a run over the whole diff. */
  async addAll(run: Promise<ImportAllReport>): Promise<void> {
    const { queued, skipped } = await run;
    this.ids.push(...queued.map(({ import_id }) => import_id));
    for (const [why, count] of Object.entries(skipped)) this.context.remark(`skipped: ${String(count)} ${why}`);
  }

  /** Prints the requested imports. @returns the exit code */
  async printAll(imports: ImportsService, json: boolean): Promise<number> {
    for (const id of this.ids) {
      const response = await imports.get(id);
      for (const line of json ? [JSON.stringify(response)] : linesOf(response)) this.context.print(line);
    }
    return this.code;
  }

  private refuse(subject: string, { code, message }: { readonly code: string; readonly message: string }): void {
    this.context.remark(`${subject}: ${code}: ${message}`);
  }
}

function priorityOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const priority = Number(text);
  if (Number.isInteger(priority) && priority >= 1 && priority <= 1000) return priority;
  throw new UsageError('--priority must be a whole number from 1 (first) to 1000 (last).');
}

function instantOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!isDayOrInstant(text)) {
    throw new UsageError(
      '--not-before must be a day or an instant in ISO 8601, e.g. 2026-12-01T02:00:00Z. Without an offset, the time is UTC.',
    );
  }
  return utcOf(text);
}
