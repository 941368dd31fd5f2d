import { argumentsOf, UsageError } from '@rdc/cli';
import { AppError } from '@rdc/errors';
import { isDayOrInstant, utcOf } from '@rdc/http';
import { DatasetsService } from '../datasets/datasets.service.js';
import type { SubmitResult } from '../imports/import-requests.js';
import { ImportsService } from '../imports/imports.service.js';
import { ImportAll } from '../schedule/import-all.js';
import type { ImportAllReport } from '../schedule/import-all-report.js';
import { SubmissionsService, type SubmissionSubmitResult } from '../submissions/submissions.service.js';
import { commandRequester } from './asker.js';
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

/** `import`: asks for imports and shows how they go. */
export const importCommand: Command = {
  usage:
    'import <dataset_id>... | --all | --submission REFERENCE [--datasets none|all|ID,...] [--priority 1..1000] [--not-before INSTANT] [--no-wait] [--json]',
  summary: 'import datasets, or a submission as a project collection; a worker does it, and goes on without you',
  async run(args, context) {
    const { values, positionals: ids } = argumentsOf(args, options);
    const { submission } = values;
    if ([ids.length > 0, submission !== undefined, values.all].filter(Boolean).length !== 1) {
      throw new UsageError('Name one or more datasets, or one submission, or --all.');
    }
    const datasets = datasetChoiceOf(submission, values.datasets);
    const order = { priority: priorityOf(values.priority), not_before: instantOf(values['not-before']) };
    const services = await context.open();
    const asked = new SubmittedImports(context);
    if (submission !== undefined) {
      const service = services.get(SubmissionsService);
      await asked.submission(service.import({ reference: submission, datasets }, { ...commandRequester(), ...order }));
    }
    if (values.all) await asked.all(services.get(ImportAll).run('request', { ...commandRequester(), ...order }));
    for (const dataset_id of ids) {
      await asked.one(dataset_id, services.get(DatasetsService).import({ dataset_id, ...order }, commandRequester()));
    }
    const imports = services.get(ImportsService);
    if (values['no-wait']) return asked.printAll(imports, values.json);
    const code = await follow(asked.ids, { imports, context, json: values.json, label: 'importing' });
    return Math.max(code, asked.code);
  },
};

/** Which datasets of a submission are meant. */
export function datasetChoiceOf(submission: string | undefined, text = 'none'): 'none' | 'all' | string[] {
  if (submission === undefined && text !== 'none') throw new UsageError('--datasets is for those of a --submission.');
  if (text === 'none' || text === 'all') return text;
  const ids = text.split(',').filter(Boolean);
  if (ids.length === 0) throw new UsageError('--datasets is none, all, or ids with commas between them.');
  return ids;
}

/** What came of asking for several imports: one that is refused does not stand in the way of the others. */
export class SubmittedImports {
  readonly ids: string[] = [];
  /** The exit code of what was refused. */
  code: number = exitCodes.done;

  constructor(private readonly context: CommandContext) {}

  async one(subject: string, asking: Promise<SubmitResult>): Promise<void> {
    try {
      this.ids.push((await asking).import.id);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.refuse(subject, error);
      this.code = Math.max(this.code, exitCodeOf(error));
    }
  }

  async submission(asking: Promise<SubmissionSubmitResult>): Promise<void> {
    const { import: collection, datasets } = await asking;
    this.ids.push(collection.id);
    for (const { dataset_id, import_id, error } of datasets) {
      if (import_id !== null) this.ids.push(import_id);
      if (!error) continue;
      this.refuse(dataset_id, error);
      this.code = exitCodes.refused;
    }
  }

  async all(running: Promise<ImportAllReport>): Promise<void> {
    const { queued, skipped } = await running;
    this.ids.push(...queued.map(({ import_id }) => import_id));
    for (const [why, count] of Object.entries(skipped)) this.context.remark(`left alone: ${String(count)} ${why}`);
  }

  /** Prints what is under way. @returns the exit code */
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
  throw new UsageError('--priority is a whole number from 1, which goes first, to 1000.');
}

function instantOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!isDayOrInstant(text)) {
    throw new UsageError(
      '--not-before is a day or an instant, e.g. 2026-12-01T02:00:00Z; in UTC unless it says otherwise.',
    );
  }
  return utcOf(text);
}
