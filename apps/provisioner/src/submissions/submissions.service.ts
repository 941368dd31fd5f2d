import { Injectable } from '@nestjs/common';
import { AppError, InvalidInputError, UnknownRecordError } from '@rdc/errors';
import { mapConcurrently } from '../concurrency/for-each-concurrently.js';
import { ImportRequests, type SubmitResult, type RequestOptions } from '../imports/import-requests.js';
import { Inventory, type Snapshot } from '../inventory/inventory.js';
import { containsText, type Listing } from '../http/list.answer.js';
import { isIdentifier } from '../model/identifier.js';
import { SourceIndex } from '../source/source-index.js';
import type { ListedSubmission, SourcePlace } from '../model/source-system.js';
import {
  lacksDatasets,
  stateOfSubmission,
  toSubmissionResponse,
  type SubmissionResponse,
} from './submission.response.js';
import type { ImportSubmission, SearchSubmissionDiff, SearchSubmissions } from './submissions.query.js';

/** Number of datasets of a submission that are requested concurrently. */
const concurrentDatasets = 8;

/** The result of the request to import a dataset with its submission. */
export interface DatasetSubmitResult {
  readonly dataset_id: string;
  readonly import_id: string | null;
  /** The error with which the request was refused; null if it was accepted. */
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** The result of the request to import a submission and some of its datasets. */
export interface SubmissionSubmitResult extends SubmitResult {
  readonly datasets: readonly DatasetSubmitResult[];
}

interface SubmittedDataset {
  readonly dataset: DatasetSubmitResult;
  readonly isUnderWay: boolean;
}

/** A dataset of a submission whose import is requested. */
interface RequestedDataset {
  readonly place: SourcePlace;
  /** Whether another dataset has the same id or an id that differs only by case. */
  readonly isDuplicate: boolean;
}

/** Lists and imports submissions of the source. */
@Injectable()
export class SubmissionsService {
  constructor(
    private readonly inventory: Inventory,
    private readonly index: SourceIndex,
    private readonly requests: ImportRequests,
  ) {}

  /** Lists the submissions of the source. */
  search(query: SearchSubmissions): Promise<Listing<ListedSubmission, SubmissionResponse>> {
    return this.list(query, () => true);
  }

  /**
   * Lists the submissions that are not imported and, if `incomplete` is set, those with datasets that are not imported.
   */
  searchDiff({ incomplete, ...query }: SearchSubmissionDiff): Promise<Listing<ListedSubmission, SubmissionResponse>> {
    return this.list(query, (submission, snapshot) => {
      if (!snapshot.stored.submission.commits.has(submission.reference)) return true;
      return incomplete === 'true' && lacksDatasets(submission, snapshot);
    });
  }

  /** Returns a submission with its latest scan. @throws UnknownRecordError if the source does not contain it */
  async get(reference: string): Promise<SubmissionResponse> {
    const { submissions } = await this.index.list();
    const listed = submissions.find((each) => each.reference === reference);
    if (!listed) throw new UnknownRecordError('submission', reference);
    return toSubmissionResponse(listed, await this.inventory.take());
  }

  /** Requests the import of a submission and of the datasets that the body selects. */
  async import(body: ImportSubmission, requester: RequestOptions): Promise<SubmissionSubmitResult> {
    const reference = referenceOf(body);
    const requested = await this.requestedDatasets(reference, body.datasets ?? 'none');
    const collection = await this.requests.submit({ kind: 'submission', id: reference }, requester);
    const submitted = await mapConcurrently(requested, concurrentDatasets, (each) =>
      this.submitDataset(each, requester),
    );
    return {
      isUnderWay: collection.isUnderWay || submitted.some(({ isUnderWay }) => isUnderWay),
      import: collection.import,
      datasets: submitted.map(({ dataset }) => dataset),
    };
  }

  /** Requests the plan of an import of a submission and of the datasets that the body selects. */
  async plan(body: ImportSubmission, requester: RequestOptions): Promise<SubmitResult> {
    const reference = referenceOf(body);
    const { datasets = 'none' } = body;
    await this.requestedDatasets(reference, datasets);
    const choice = datasets === 'none' ? undefined : datasets;
    return this.requests.submitPlan({ kind: 'submission', id: reference }, requester, choice);
  }

  private async list(
    { state, q }: SearchSubmissions,
    isIncluded: (submission: ListedSubmission, snapshot: Snapshot) => boolean,
  ): Promise<Listing<ListedSubmission, SubmissionResponse>> {
    const snapshot = await this.inventory.take();
    const matches = (submission: ListedSubmission): boolean =>
      isIncluded(submission, snapshot) &&
      (state === undefined || stateOfSubmission(submission, snapshot) === state) &&
      (q === undefined || containsText(q, submission.reference, snapshot.descriptionOf(submission.reference)?.title));
    return {
      version: snapshot.version,
      asOf: snapshot.scannedAt,
      select: () => snapshot.listing.submissions.filter(matches),
      keyOf: ({ reference }) => reference,
      toItem: (submission) => toSubmissionResponse(submission, snapshot),
    };
  }

  private async requestedDatasets(
    reference: string,
    choice: 'none' | 'all' | string[],
  ): Promise<readonly RequestedDataset[]> {
    if (choice === 'none') return [];
    const { submissions, duplicates } = await this.index.list();
    const submission = submissions.find((each) => each.reference === reference);
    // The request for the collection then fails with the error for an unknown submission.
    if (!submission) return [];
    const members = new Set(submission.datasets.filter(isIdentifier));
    const unknown = choice === 'all' ? [] : choice.filter((id) => !members.has(id));
    if (unknown.length > 0) {
      throw new InvalidInputError(
        unknown.map((id) => ({
          field: 'datasets',
          problem: `must be datasets of ${reference}, not ${JSON.stringify(id)}`,
        })),
      );
    }
    const ids = choice === 'all' ? members : new Set(choice);
    return [...ids].map((id) => ({ place: placeOf(reference, id), isDuplicate: duplicates.dataset.has(id) }));
  }

  /** Requests the import of a dataset. Returns a refusal as a result, so that it does not affect the other datasets. */
  private async submitDataset(
    { place, isDuplicate }: RequestedDataset,
    requester: RequestOptions,
  ): Promise<SubmittedDataset> {
    const { id: dataset_id } = place;
    try {
      const result = await (isDuplicate
        ? this.requests.submit(place, requester)
        : this.requests.submitPlace(place, requester));
      return { isUnderWay: result.isUnderWay, dataset: { dataset_id, import_id: result.import.id, error: null } };
    } catch (error) {
      return { isUnderWay: false, dataset: { dataset_id, import_id: null, error: refusalOf(error) } };
    }
  }
}

function placeOf(submission: string, id: string): SourcePlace {
  return { kind: 'dataset', submission, id };
}

/** Returns the code and message of a refusal. @throws the error if it is not a refusal */
function refusalOf(error: unknown): { readonly code: string; readonly message: string } {
  if (!(error instanceof AppError) || error.code === 'dependency.down') throw error;
  return { code: error.code, message: error.message };
}

/** Returns the reference in a body. @throws InvalidInputError if `reference` and `submission` differ */
export function referenceOf({ reference, submission }: ImportSubmission): string {
  if (reference !== undefined && submission !== undefined && reference !== submission) {
    throw new InvalidInputError([{ field: 'submission', problem: 'must be equal to reference' }]);
  }
  return reference ?? submission ?? '';
}
