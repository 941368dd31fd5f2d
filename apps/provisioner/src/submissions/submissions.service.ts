import { Injectable } from '@nestjs/common';
import { AppError, InvalidInputError, UnknownRecordError } from '@rdc/errors';
import type { ImportPlan } from '../imports/import-plan.js';
import { ImportRequests, type Asked, type Asking } from '../imports/import-requests.js';
import { Inventory, type Snapshot } from '../inventory/inventory.js';
import { holds, type Listing } from '../lists/list.answer.js';
import { SourceIndex } from '../source/source-index.js';
import type { ListedSubmission, SourcePlace } from '../source/source-system.js';
import {
  lacksDatasets,
  stateOfSubmission,
  toSubmissionResponse,
  type SubmissionResponse,
} from './submission.response.js';
import type { ImportSubmission, SearchSubmissionDiff, SearchSubmissions } from './submissions.query.js';

/** What became of one dataset that was to be imported with its submission. */
export interface AskedDataset {
  readonly dataset_id: string;
  readonly import_id: string | null;
  /** Why none could be asked for. */
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** A submission's import, and those of its datasets. */
export interface AskedSubmission extends Asked {
  readonly datasets: readonly AskedDataset[];
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

  /** One submission, walked anew. @throws UnknownRecordError */
  async get(reference: string): Promise<SubmissionResponse> {
    const [place] = (await this.index.find({ kind: 'submission', id: reference })).places;
    if (!place) throw new UnknownRecordError('submission', reference);
    const { submissions } = await this.index.list();
    const listed = submissions.find((each) => each.reference === reference);
    if (!listed) throw new UnknownRecordError('submission', reference);
    return toSubmissionResponse(listed, await this.walked(place, listed));
  }

  /** Asks for the collection, and for those of its datasets that are wanted. */
  async import(body: ImportSubmission, asker: Asking): Promise<AskedSubmission> {
    const reference = referenceOf(body);
    const wanted = await this.wantedDatasets(reference, body.datasets ?? 'none');
    const collection = await this.requests.ask({ kind: 'submission', id: reference }, asker);
    const datasets: AskedDataset[] = [];
    let isUnderWay = collection.isUnderWay;
    for (const id of wanted) {
      const asked = await this.askDataset(id, asker);
      isUnderWay ||= asked.isUnderWay;
      datasets.push(asked.dataset);
    }
    return { isUnderWay, import: collection.import, datasets };
  }

  plan(body: ImportSubmission): Promise<ImportPlan> {
    return this.requests.plan({ kind: 'submission', id: referenceOf(body) });
  }

  private async list(
    { state, q }: SearchSubmissions,
    isWanted: (submission: ListedSubmission, snapshot: Snapshot) => boolean,
  ): Promise<Listing<ListedSubmission, SubmissionResponse>> {
    const snapshot = await this.inventory.take();
    const matches = (submission: ListedSubmission): boolean =>
      isWanted(submission, snapshot) &&
      (state === undefined || stateOfSubmission(submission, snapshot) === state) &&
      (q === undefined || holds(q, submission.reference, snapshot.descriptionOf(submission.reference)?.title));
    return {
      version: snapshot.version,
      asOf: snapshot.scannedAt,
      select: () => snapshot.listing.submissions.filter(matches),
      keyOf: ({ reference }) => reference,
      toItem: (submission) => toSubmissionResponse(submission, snapshot),
    };
  }

  private walked(place: SourcePlace, { reference, datasets }: ListedSubmission): Promise<Snapshot> {
    const members = datasets.map((id): SourcePlace => ({ kind: 'dataset', submission: reference, id }));
    return this.inventory.takeWith([place, ...members]);
  }

  private async wantedDatasets(reference: string, choice: 'none' | 'all' | string[]): Promise<readonly string[]> {
    if (choice === 'none') return [];
    const members = await this.index.datasetsOf(reference);
    if (choice === 'all') return members;
    const unknown = choice.filter((id) => !members.includes(id));
    if (unknown.length > 0) {
      throw new InvalidInputError(
        unknown.map((id) => ({
          field: 'datasets',
          problem: `names ${JSON.stringify(id)}, which ${reference} does not hold`,
        })),
      );
    }
    return [...new Set(choice)];
  }

  /** A dataset that cannot be imported now does not stand in the way of the others. */
  private async askDataset(id: string, asker: Asking): Promise<{ dataset: AskedDataset; isUnderWay: boolean }> {
    try {
      const asked = await this.requests.ask({ kind: 'dataset', id }, asker);
      return { isUnderWay: asked.isUnderWay, dataset: { dataset_id: id, import_id: asked.import.id, error: null } };
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'dependency.down') throw error;
      const { code, message } = error;
      return { isUnderWay: false, dataset: { dataset_id: id, import_id: null, error: { code, message } } };
    }
  }
}

function referenceOf({ reference, submission }: ImportSubmission): string {
  if (reference !== undefined && submission !== undefined && reference !== submission) {
    throw new InvalidInputError([{ field: 'submission', problem: 'names another submission than reference' }]);
  }
  return reference ?? submission ?? '';
}
