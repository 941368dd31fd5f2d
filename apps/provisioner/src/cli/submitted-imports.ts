import { AppError } from '@rdc/errors';
import type { SubmitResult } from '../imports/import-requests.js';
import { ImportsService } from '../imports/imports.service.js';
import type { ImportAllReport } from '../schedule/import-all-report.js';
import type { SubmissionSubmitResult } from '../submissions/submissions.service.js';
import type { CommandContext } from './command.js';
import { exitCodeOf, exitCodes } from './exit-codes.js';
import { follow, printImport } from './follow.js';

/** The results of several import requests. A refused request does not affect the others. */
export class SubmittedImports {
  private readonly ids: string[] = [];
  /** The exit code for the refused requests. */
  private code: number = exitCodes.done;

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

  /** Prints the requested imports or follows them, and sets the exit code. @param label the label of the progress bar */
  async finish(
    label: string,
    { wait, json = false }: { readonly wait: boolean; readonly json?: boolean },
  ): Promise<void> {
    const imports = (await this.context.open()).get(ImportsService);
    if (wait) {
      const code = await follow(this.ids, { imports, context: this.context, json, label });
      this.code = Math.max(code, this.code);
    } else {
      for (const id of this.ids) printImport(await imports.get(id), this.context, json);
    }
    this.context.setExitCode(this.code);
  }

  private refuse(subject: string, { code, message }: { readonly code: string; readonly message: string }): void {
    this.context.remark(`${subject}: ${code}: ${message}`);
  }
}
