import { Injectable } from '@nestjs/common';
import { UnknownRecordError } from '@rdc/errors';
import type { Readable } from 'node:stream';
import { ImportRequests, type SubmitResult, type RequestOptions } from '../imports/import-requests.js';
import { ImportStateError } from '../imports/imports.errors.js';
import { Inventory, type Snapshot } from '../inventory/inventory.js';
import { containsText, listingOf, type Listing } from '../http/list.answer.js';
import { SourceIndex } from '../source/source-index.js';
import { isIdentifier } from '../model/identifier.js';
import type { SourcePlace } from '../model/source-system.js';
import { Storage } from '../model/storage.js';
import type { ManifestAlgorithm } from '../settings/manifest-algorithms.js';
import { stateOfDataset, toDatasetResponse, type DatasetResponse } from './dataset.response.js';
import {
  defaultRemovableDays,
  type ImportDataset,
  type SearchDatasetDiff,
  type SearchDatasets,
  type SearchRemovableDatasets,
} from './datasets.query.js';
import { toRemovableDataset, type RemovableDatasetResponse } from './removable-dataset.response.js';
import { RemovableDatasets } from './removable-datasets.js';
import { WithdrawnDatasets } from './withdrawn-datasets.js';

/** Lists, imports and verifies datasets of the source and the storage. */
@Injectable()
export class DatasetsService {
  constructor(
    private readonly inventory: Inventory,
    private readonly index: SourceIndex,
    private readonly requests: ImportRequests,
    private readonly storage: Storage,
    private readonly removable: RemovableDatasets,
    private readonly withdrawn: WithdrawnDatasets,
  ) {}

  /**
   * Lists the datasets of the source and the imported ones.
   *
   * @throws UnknownRecordError if neither the source nor the storage contains `query.submission`
   */
  search(query: SearchDatasets): Promise<Listing<SourcePlace, DatasetResponse>> {
    return this.list(query, () => true);
  }

  /**
   * Lists the datasets that are not imported and, if `changed` is set, those that changed after their import.
   *
   * @throws UnknownRecordError if neither the source nor the storage contains `query.submission`
   */
  searchDiff({ changed, ...query }: SearchDatasetDiff): Promise<Listing<SourcePlace, DatasetResponse>> {
    return this.list(query, (place, snapshot) => {
      if (!snapshot.stored.dataset.commits.has(place.id)) return true;
      return changed === 'true' && stateOfDataset(place, snapshot) === 'differs';
    });
  }

  /**
   * Returns a dataset with its latest scan.
   *
   * @throws UnknownRecordError if the source does not contain it and it was never imported
   */
  async get(id: string): Promise<DatasetResponse> {
    const [place] = await this.index.findNamed({ kind: 'dataset', id });
    const snapshot = await this.inventory.take();
    if (place) return toDatasetResponse(place, snapshot);
    const commit = snapshot.stored.dataset.commits.get(id);
    const submission = commit?.submission ?? (await this.withdrawn.of(id)).at(-1)?.submission;
    if (submission === undefined) throw new UnknownRecordError('dataset', id);
    return toDatasetResponse({ kind: 'dataset', submission, id }, snapshot);
  }

  /**
   * Lists the datasets whose files in the source can be deleted: imported for a number of days, unchanged since, and
   * without a difference at their latest check.
   */
  async searchRemovable(
    { older_than_days = defaultRemovableDays, submission, q }: SearchRemovableDatasets,
    waitMs?: number,
  ): Promise<Listing<RemovableDatasetResponse, RemovableDatasetResponse>> {
    const { snapshot, checks } = await this.removable.find(older_than_days, waitMs);
    const items = snapshot.listing.datasets.flatMap((place) => {
      const check = checks.get(place.id);
      const commit = snapshot.stored.dataset.commits.get(place.id);
      const isIncluded =
        (submission === undefined || place.submission === submission) &&
        (q === undefined || containsText(q, place.id, snapshot.summaryOf(place)?.title));
      return check && commit && isIncluded ? toRemovableDataset(place, commit, check) : [];
    });
    return listingOf(items, keyOfDataset, snapshot.scannedAt);
  }

  /**
   * Requests the import of a dataset.
   *
   * @throws UnknownRecordError if the source does not contain it; WithdrawnError if it was withdrawn and the request
   *   does not permit to import it again
   */
  async import(
    { dataset_id, reimport_of_withdrawn, ...options }: ImportDataset,
    requester: RequestOptions,
  ): Promise<SubmitResult> {
    if (reimport_of_withdrawn !== true) await this.requests.requireNotWithdrawn(dataset_id);
    return this.requests.submit({ kind: 'dataset', id: dataset_id }, { ...requester, ...options });
  }

  /** Requests the plan of an import. @throws as `import` does */
  async plan({ dataset_id, reimport_of_withdrawn }: ImportDataset, requester: RequestOptions): Promise<SubmitResult> {
    if (reimport_of_withdrawn !== true) await this.requests.requireNotWithdrawn(dataset_id);
    return this.requests.submitPlan({ kind: 'dataset', id: dataset_id }, requester);
  }

  /**
   * Opens the stored file list of a dataset, or its manifest of an algorithm.
   *
   * @throws UnknownRecordError if the dataset is not imported or has no such manifest
   */
  async manifest(id: string, list: 'ndjson' | ManifestAlgorithm): Promise<Readable> {
    const subject = { kind: 'dataset', id } as const;
    const commit = isIdentifier(id) ? await this.storage.findCommit(subject) : null;
    if (!commit) throw new UnknownRecordError('imported dataset', id);
    const isWritten = list === 'ndjson' || list === 'sha256' || commit.content.manifests?.[list] !== undefined;
    if (!isWritten) throw new UnknownRecordError(`${list} manifest of the dataset`, id);
    return this.storage.openList(subject, list);
  }

  /**
   * Requests the verification of a dataset.
   *
   * @throws UnknownRecordError if the dataset does not exist; ImportStateError if it is not imported
   */
  async verify(id: string, requester: RequestOptions): Promise<SubmitResult> {
    const subject = { kind: 'dataset', id } as const;
    if (!isIdentifier(id)) throw new UnknownRecordError('dataset', id);
    if (await this.storage.findCommit(subject)) return this.requests.enqueue('verify', subject, requester);
    const [place] = (await this.index.find(subject)).places;
    if (!place) throw new UnknownRecordError('dataset', id);
    throw new ImportStateError(`${id} cannot be verified: it is not imported.`, 'not_imported');
  }

  private async list(
    { submission, state, q, held_in }: SearchDatasets,
    isIncluded: (place: SourcePlace, snapshot: Snapshot) => boolean,
  ): Promise<Listing<SourcePlace, DatasetResponse>> {
    const snapshot = await this.inventory.take();
    const { submissions, datasets, holderOf } = snapshot.held;
    const isKnown =
      submission === undefined ||
      submissions.some(({ reference }) => reference === submission) ||
      datasets.some((place) => place.submission === submission);
    if (!isKnown) throw new UnknownRecordError('submission', submission);
    const matches = (place: SourcePlace): boolean =>
      (submission === undefined || place.submission === submission) &&
      isIncluded(place, snapshot) &&
      (state === undefined || stateOfDataset(place, snapshot) === state) &&
      (held_in === undefined || holderOf(place) === held_in) &&
      (q === undefined || containsText(q, place.id, snapshot.summaryOf(place)?.title));
    return {
      version: snapshot.version,
      asOf: snapshot.scannedAt,
      select: () => datasets.filter(matches),
      keyOf: keyOfDataset,
      toItem: (place) => toDatasetResponse(place, snapshot),
    };
  }
}

/** Returns the key by which lists of datasets are sorted. */
function keyOfDataset({ submission, id }: Pick<SourcePlace, 'submission' | 'id'>): string {
  return `${submission}\u0000${id}`;
}
