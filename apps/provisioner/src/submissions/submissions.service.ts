import { Injectable } from '@nestjs/common';
import { AppError, InvalidInputError, UnknownRecordError } from '@rdc/errors';
import { defaultRemovableDays, type SearchRemovable } from '../datasets/datasets.query.js';
import { RemovableDatasets } from '../datasets/removable-datasets.js';
import { mapConcurrently } from '../concurrency/for-each-concurrently.js';
import { ImportRequests, type SubmitResult, type RequestOptions } from '../imports/import-requests.js';
import { Inventory, type Snapshot } from '../inventory/inventory.js';
import { containsText, listingOf, type Listing } from '../http/list.answer.js';
import { isIdentifier } from '../model/identifier.js';
import { briefMs, SourceScan } from '../scan/source-scan.js';
import { collectionOf, hasIdentifiers, SourceIndex } from '../source/source-index.js';
import type { ListedSubmission, SourcePlace } from '../model/source-system.js';
import {
  lacksDatasets,
  stateOfSubmission,
  toSubmissionResponse,
  type SubmissionResponse,
} from './submission.response.js';
import { toRemovableSubmission, type RemovableSubmissionResponse } from './removable-submission.response.js';
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
  /** Whether the dataset is imported although it was withdrawn. */
  readonly mayBeWithdrawn: boolean;
}

/** Lists the submissions of the source and the storage, and imports submissions of the source. */
@Injectable()
export class SubmissionsService {
  constructor(
    private readonly inventory: Inventory,
    private readonly index: SourceIndex,
    private readonly requests: ImportRequests,
    private readonly removable: RemovableDatasets,
    private readonly scan: SourceScan,
  ) {}

  /** Lists the submissions of the source and the imported ones. */
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

  /**
   * Returns a submission with its latest scan.
   *
   * @throws UnknownRecordError if neither the source nor the storage contains it
   */
  async get(reference: string): Promise<SubmissionResponse> {
    const snapshot = await this.inventory.take();
    const held = snapshot.held.submissions.find((each) => each.reference === reference);
    if (!held) throw new UnknownRecordError('submission', reference);
    return toSubmissionResponse(held, snapshot);
  }

  /**
   * Walks the documents and the datasets of a submission, because something was delivered or changed. The walks start after the call
   * and continue after half a second; concurrent calls share them.
   *
   * @returns whether everything was walked, and the submission as it is known now
   * @throws UnknownRecordError if the source does not contain it
   */
  async arrived(reference: string): Promise<{ readonly isWalked: boolean; readonly submission: SubmissionResponse }> {
    const { submissions } = await this.index.list();
    const listed = submissions.find((each) => each.reference === reference);
    if (!listed) throw new UnknownRecordError('submission', reference);
    const places = [collectionOf(listed), ...listed.datasets.map((id) => placeOf(reference, id))];
    const isWalked = await this.scan.walkAll(places.filter(hasIdentifiers), briefMs);
    return { isWalked, submission: await this.get(reference) };
  }

  /** Lists the submissions of the source whose documents and datasets can be deleted there. */
  async searchRemovable(
    { older_than_days = defaultRemovableDays, q }: SearchRemovable,
    waitMs?: number,
  ): Promise<Listing<RemovableSubmissionResponse, RemovableSubmissionResponse>> {
    const removable = await this.removable.find(older_than_days, waitMs);
    const { listing, descriptionOf, scannedAt } = removable.snapshot;
    const items = listing.submissions
      .filter(({ reference }) => q === undefined || containsText(q, reference, descriptionOf(reference)?.title))
      .flatMap((submission) => toRemovableSubmission(submission, removable) ?? []);
    return listingOf(items, ({ reference }) => reference, scannedAt);
  }

  /** Requests the import of a submission and of the datasets that the body selects. */
  async import(body: ImportSubmission, requester: RequestOptions): Promise<SubmissionSubmitResult> {
    const reference = referenceOf(body);
    const requested = await this.requestedDatasets(body);
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
    const { reimport_of_withdrawn } = body;
    const datasets = body.datasets ?? 'none';
    await this.requestedDatasets(body);
    return this.requests.submitPlan({ kind: 'submission', id: reference }, requester, {
      ...(datasets !== 'none' && { datasets }),
      ...(reimport_of_withdrawn === true && { reimport_of_withdrawn }),
    });
  }

  private async list(
    { state, q, held_in }: SearchSubmissions,
    isIncluded: (submission: ListedSubmission, snapshot: Snapshot) => boolean,
  ): Promise<Listing<ListedSubmission, SubmissionResponse>> {
    const snapshot = await this.inventory.take();
    const matches = (submission: ListedSubmission): boolean =>
      isIncluded(submission, snapshot) &&
      (state === undefined || stateOfSubmission(submission, snapshot) === state) &&
      (held_in === undefined || snapshot.held.holderOf(collectionOf(submission)) === held_in) &&
      (q === undefined || containsText(q, submission.reference, snapshot.descriptionOf(submission.reference)?.title));
    return {
      version: snapshot.version,
      asOf: snapshot.scannedAt,
      select: () => snapshot.held.submissions.filter(matches),
      keyOf: ({ reference }) => reference,
      toItem: (submission) => toSubmissionResponse(submission, snapshot),
    };
  }

  private async requestedDatasets(body: ImportSubmission): Promise<readonly RequestedDataset[]> {
    const reference = referenceOf(body);
    const choice = body.datasets ?? 'none';
    const mayBeWithdrawn = body.reimport_of_withdrawn ?? false;
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
    return [...ids].map((id) => {
      return { place: placeOf(reference, id), isDuplicate: duplicates.dataset.has(id), mayBeWithdrawn };
    });
  }

  /** Requests the import of a dataset. Returns a refusal as a result, so that it does not affect the other datasets. */
  private async submitDataset(
    { place, isDuplicate, mayBeWithdrawn }: RequestedDataset,
    requester: RequestOptions,
  ): Promise<SubmittedDataset> {
    const { id: dataset_id } = place;
    try {
      if (!mayBeWithdrawn) await this.requests.requireNotWithdrawn(dataset_id);
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
