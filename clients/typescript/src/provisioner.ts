import createClient, { type Client } from 'openapi-fetch';
import { connectionTo, throwingErrors, type ConnectionOptions } from './connection.js';
import type { components, paths } from './generated/provisioner.js';
import { pause } from './retries.js';

type Schemas = components['schemas'];

/** An import of the provisioner. */
export type Import = Schemas['ImportResponse'];

const ended: readonly Import['state'][] = ['finished', 'rejected', 'failed', 'cancelled'];

/** The seconds between two reads of an import. The time grows from the first to the longest. */
const firstPoll = 0.25;
const longestPoll = 5;

/** The maximum number of seconds for which the provisioner holds an answer. */
const longestHold = 60;

/** The time limit of a call. */
export interface WaitOptions {
  /** The number of seconds after which the call fails; an hour by default. The import continues. */
  readonly timeout?: number;
}

/** An import ended without success: rejected, failed or cancelled. */
export class ImportEndedError extends Error {
  override readonly name = 'ImportEndedError';
  /** The reason, a code of `docs/errors.md`; undefined if the import was cancelled. */
  readonly code: string | undefined;

  constructor(readonly ended: Import) {
    const { subject, state, error } = ended;
    super(`The import of ${subject} ended ${state}: ${error ? `${error.code}: ${error.message}` : 'it was cancelled'}`);
    this.code = error?.code;
  }
}

/** An import has not ended in time. It continues. */
export class ImportTimeoutError extends Error {
  override readonly name = 'ImportTimeoutError';

  constructor(readonly open: Import) {
    super(`The import ${open.id} of ${open.subject} has not ended: it is ${open.state}.`);
  }
}

/** The import of a dataset of a submission was refused. */
export class DatasetRefusedError extends Error {
  override readonly name = 'DatasetRefusedError';
  /** The reason, a code of `docs/errors.md`. */
  readonly code: string;

  constructor(
    readonly datasetId: string,
    { code, message }: Schemas['RefusalResponse'],
  ) {
    super(`The import of ${datasetId} was refused: ${code}: ${message}`);
    this.code = code;
  }
}

/** A client of the provisioner. */
export class Provisioner {
  /** The typed client of all operations. It throws an `ApiError` instead of returning an error. */
  readonly api: Client<paths, 'application/json'>;

  /** @param url the origin of the provisioner, without `/datasets` */
  constructor(url: string, options: ConnectionOptions = {}) {
    this.api = createClient<paths, 'application/json'>(connectionTo(url, options));
    this.api.use(throwingErrors);
  }

  /**
   * Requests the import of a dataset and waits for its end. A dataset that is imported already returns its import. After
   * a timeout, a repeated call waits for the same import.
   *
   * @throws ImportEndedError if the import ends without success
   * @throws ImportTimeoutError if the import has not ended in time
   */
  async importDataset(id: string, { timeout = 3600 }: WaitOptions = {}): Promise<Import> {
    const deadline = Date.now() + timeout * 1000;
    const query = { wait: Math.min(Math.floor(timeout), longestHold) };
    const { data } = await this.api.POST('/datasets/srcsys/import', { params: { query }, body: { dataset_id: id } });
    const requested = data as Import;
    return isOpen(requested) ? this.endOf(requested.id, deadline) : succeeded(requested);
  }

  /**
   * Requests the import of a submission, with datasets, and waits for the end of each import.
   *
   * @returns the import of the submission, then those of the datasets
   * @throws as importDataset, and DatasetRefusedError if the import of a dataset is refused. The other imports continue
   */
  async importSubmission(
    reference: string,
    { datasets = 'none', timeout = 3600 }: WaitOptions & { readonly datasets?: 'none' | 'all' | string[] } = {},
  ): Promise<Import[]> {
    const deadline = Date.now() + timeout * 1000;
    const { data } = await this.api.POST('/submissions/srcsys/import', { body: { reference, datasets } });
    const requested = data as Schemas['SubmissionImportResponse'];
    const ids = [requested.id];
    for (const { dataset_id, import_id, error } of requested.datasets ?? []) {
      if (error) throw new DatasetRefusedError(dataset_id, error);
      if (import_id !== null) ids.push(import_id);
    }
    const imports: Import[] = [];
    for (const id of ids) imports.push(await this.endOf(id, deadline));
    return imports;
  }

  /** Waits for the end of an import. @throws as importDataset */
  async wait(id: string, { timeout = 3600 }: WaitOptions = {}): Promise<Import> {
    return this.endOf(id, Date.now() + timeout * 1000);
  }

  private async endOf(id: string, deadline: number): Promise<Import> {
    for (let seconds = firstPoll; ; seconds = Math.min(longestPoll, seconds * 1.5)) {
      const { data } = await this.api.GET('/imports/{id}', { params: { path: { id } } });
      const current = data as Import;
      if (!isOpen(current)) return succeeded(current);
      const remaining = (deadline - Date.now()) / 1000;
      if (remaining <= 0) throw new ImportTimeoutError(current);
      await pause(Math.min(remaining, seconds * (1 + Math.random() / 2)));
    }
  }
}

function isOpen({ state }: Import): boolean {
  return !ended.includes(state);
}

function succeeded(last: Import): Import {
  if (last.state !== 'finished') throw new ImportEndedError(last);
  return last;
}
