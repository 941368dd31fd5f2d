import { Injectable } from '@nestjs/common';
import { AppError, InvalidInputError, UnknownRecordError } from '@rdc/errors';
import { mapConcurrently } from '../concurrency/call-for-each.js';
import { ImportRequests, type SubmitResult, type RequestOptions } from '../imports/import-requests.js';
import { Inventory, type Snapshot } from '../inventory/inventory.js';
import { containsText, type Listing } from '../http/list.answer.js';
import { isIdentifier } from '../model/identifier.js';
import { collectionOf, SourceIndex } from '../source/source-index.js';
import type { ListedSubmission, SourcePlace } from '../model/source-system.js';
import {
  lacksDatasets,
  stateOfSubmission,
  toSubmissionResponse,
  type SubmissionResponse,
} from './submission.response.js';
import type { PlannedDataset, SubmissionPlan } from './submission-plan.js';
import type { ImportSubmission, SearchSubmissionDiff, SearchSubmissions } from './submissions.query.js';

/** Datasets of one submission that are asked for, or planned, at once. */
const datasetsAtOnce = 8;

/** What became of one dataset that was to be imported with its submission. */
export interface DatasetSubmitResult {
  readonly dataset_id: string;
  readonly import_id: string | null;
  /** Why none could be asked for. */
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** A submission's import, and those of its datasets. */
export interface SubmissionSubmitResult extends SubmitResult {
  readonly datasets: readonly DatasetSubmitResult[];
}

interface AskedOne {
  readonly dataset: DatasetSubmitResult;
  readonly isUnderWay: boolean;
}

/** A dataset that was named in a request. */
interface RequestedDataset {
  readonly place: SourcePlace;
  /** Whether its id is another's too, perhaps but for case. */
  readonly isDuplicate: boolean;
}

/** The submissions of the source beside what storage holds of them. */
@Injectable()
export class SubmissionsService {
  constructor(
    private readonly inventory: Inventory,
    private readonly index: SourceIndex,
    private readonly requests: ImportRequests,
  ) {}

  /** Every submission of the source. */
  search(query: SearchSubmissions): Promise<Listing<ListedSubmission, SubmissionResponse>> {
    return this.list(query, () => true);
  }

  /** Those without a project collection, and when asked those whose collection lacks datasets. */
  searchDiff({ incomplete, ...query }: SearchSubmissionDiff): Promise<Listing<ListedSubmission, SubmissionResponse>> {
    return this.list(query, (submission, snapshot) => {
      if (!snapshot.stored.submission.commits.has(submission.reference)) return true;
      return incomplete === 'true' && lacksDatasets(submission, snapshot);
    });
  }

  /** One submission as lists show it, walked anew where its name can be a reference. @throws UnknownRecordError */
  async get(reference: string): Promise<SubmissionResponse> {
    const { submissions } = await this.index.list();
    const listed = submissions.find((each) => each.reference === reference);
    if (!listed) throw new UnknownRecordError('submission', reference);
    return toSubmissionResponse(listed, await this.walked(listed));
  }

  /** Asks for the collection, and for those of its datasets that are wanted. */
  async import(body: ImportSubmission, asker: RequestOptions): Promise<SubmissionSubmitResult> {
    const reference = referenceOf(body);
    const wanted = await this.wantedDatasets(reference, body.datasets ?? 'none');
    const collection = await this.requests.submit({ kind: 'submission', id: reference }, asker);
    const asked = await mapConcurrently(wanted, datasetsAtOnce, (each) => this.askDataset(each, asker));
    return {
      isUnderWay: collection.isUnderWay || asked.some(({ isUnderWay }) => isUnderWay),
      import: collection.import,
      datasets: asked.map(({ dataset }) => dataset),
    };
  }

  /** What that would do. */
  async plan(body: ImportSubmission): Promise<SubmissionPlan> {
    const reference = referenceOf(body);
    const wanted = await this.wantedDatasets(reference, body.datasets ?? 'none');
    const plan = await this.requests.plan({ kind: 'submission', id: reference });
    const datasets = await mapConcurrently(wanted, datasetsAtOnce, (each) => this.planDataset(each));
    const missing = [plan, ...datasets.flatMap((each) => each.plan ?? [])].filter(({ state }) => state !== 'imported');
    const bytes = missing.reduce((total, each) => total + each.bytes, 0);
    const fits = plan.fits && (plan.free_bytes === null || bytes <= plan.free_bytes);
    return Object.assign(plan, { fits, datasets });
  }

  private async list(
    { state, q }: SearchSubmissions,
    isWanted: (submission: ListedSubmission, snapshot: Snapshot) => boolean,
  ): Promise<Listing<ListedSubmission, SubmissionResponse>> {
    const snapshot = await this.inventory.take();
    const matches = (submission: ListedSubmission): boolean =>
      isWanted(submission, snapshot) &&
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

  private walked(submission: ListedSubmission): Promise<Snapshot> {
    const { reference, datasets } = submission;
    return this.inventory.takeScanning([collectionOf(submission), ...datasets.map((id) => placeOf(reference, id))]);
  }

  private async wantedDatasets(
    reference: string,
    choice: 'none' | 'all' | string[],
  ): Promise<readonly RequestedDataset[]> {
    if (choice === 'none') return [];
    const { submissions, duplicates } = await this.index.list();
    const submission = submissions.find((each) => each.reference === reference);
    // Asking for the collection says that there is no such submission, whatever datasets are named.
    if (!submission) return [];
    const members = new Set(submission.datasets.filter(isIdentifier));
    const unknown = choice === 'all' ? [] : choice.filter((id) => !members.has(id));
    if (unknown.length > 0) {
      throw new InvalidInputError(
        unknown.map((id) => ({
          field: 'datasets',
          problem: `names ${JSON.stringify(id)}, which ${reference} does not hold`,
        })),
      );
    }
    const ids = choice === 'all' ? members : new Set(choice);
    return [...ids].map((id) => ({ place: placeOf(reference, id), isDuplicate: duplicates.dataset.has(id) }));
  }

  /** A dataset that cannot be imported now does not stand in the way of the others. */
  private async askDataset({ place, isDuplicate }: RequestedDataset, asker: RequestOptions): Promise<AskedOne> {
    const { id: dataset_id } = place;
    try {
      const asked = await (isDuplicate ? this.requests.submit(place, asker) : this.requests.submitPlace(place, asker));
      return { isUnderWay: asked.isUnderWay, dataset: { dataset_id, import_id: asked.import.id, error: null } };
    } catch (error) {
      return { isUnderWay: false, dataset: { dataset_id, import_id: null, error: refusalOf(error) } };
    }
  }

  private async planDataset({ place, isDuplicate }: RequestedDataset): Promise<PlannedDataset> {
    const { id: dataset_id } = place;
    try {
      const plan = await (isDuplicate ? this.requests.plan(place) : this.requests.planPlace(place));
      const { state, ready, files, bytes, problem_count } = plan;
      return { dataset_id, plan: { state, ready, files, bytes, problem_count }, error: null };
    } catch (error) {
      return { dataset_id, plan: null, error: refusalOf(error) };
    }
  }
}

function placeOf(submission: string, id: string): SourcePlace {
  return { kind: 'dataset', submission, id };
}

/** Why one dataset is refused. @throws what is no refusal */
function refusalOf(error: unknown): { readonly code: string; readonly message: string } {
  if (!(error instanceof AppError) || error.code === 'dependency.down') throw error;
  return { code: error.code, message: error.message };
}

/** Returns the submission that a body names. @throws InvalidInputError if it names two */
export function referenceOf({ reference, submission }: ImportSubmission): string {
  if (reference !== undefined && submission !== undefined && reference !== submission) {
    throw new InvalidInputError([{ field: 'submission', problem: 'names another submission than reference' }]);
  }
  return reference ?? submission ?? '';
}
