import { Injectable } from '@nestjs/common';
import { UnknownRecordError } from '@rdc/errors';
import type { Readable } from 'node:stream';
import type { ImportPlan } from '../imports/import-plan.js';
import { ImportRequests, type SubmitResult, type RequestOptions } from '../imports/import-requests.js';
import { ImportStateError } from '../imports/imports.errors.js';
import { Inventory, type Snapshot } from '../inventory/inventory.js';
import { containsText, type Listing } from '../http/list.answer.js';
import { SourceIndex } from '../source/source-index.js';
import { isIdentifier } from '../model/identifier.js';
import type { SourcePlace } from '../model/source-system.js';
import { Storage } from '../model/storage.js';
import type { ManifestAlgorithm } from '../settings/manifest-algorithms.js';
import { stateOfDataset, toDatasetResponse, type DatasetResponse } from './dataset.response.js';
import type { ImportDataset, SearchDatasetDiff, SearchDatasets } from './datasets.query.js';

/** Lists, imports, verifies and withdraws datasets of the source. */
@Injectable()
export class DatasetsService {
  constructor(
    private readonly inventory: Inventory,
    private readonly index: SourceIndex,
    private readonly requests: ImportRequests,
    private readonly storage: Storage,
  ) {}

  /** Lists the datasets of the source. @throws UnknownRecordError if the source does not contain `query.submission` */
  search(query: SearchDatasets): Promise<Listing<SourcePlace, DatasetResponse>> {
    return this.list(query, () => true);
  }

  /**
   * Lists the datasets that are not imported and, if `changed` is set, those that changed after their import.
   *
   * @throws UnknownRecordError if the source does not contain `query.submission`
   */
  searchDiff({ changed, ...query }: SearchDatasetDiff): Promise<Listing<SourcePlace, DatasetResponse>> {
    return this.list(query, (place, snapshot) => {
      if (!snapshot.stored.dataset.commits.has(place.id)) return true;
      return changed === 'true' && stateOfDataset(place, snapshot) === 'differs';
    });
  }

  /** Returns a dataset after a new walk of its folder. @throws UnknownRecordError if the source does not contain it */
  async get(id: string): Promise<DatasetResponse> {
    const places = await this.index.findNamed({ kind: 'dataset', id });
    const [place] = places;
    if (!place) throw new UnknownRecordError('dataset', id);
    return toDatasetResponse(place, await this.inventory.takeScanning(places));
  }

  /** Requests the import of a dataset. @throws UnknownRecordError if the source does not contain it */
  import({ dataset_id, ...options }: ImportDataset, requester: RequestOptions): Promise<SubmitResult> {
    return this.requests.submit({ kind: 'dataset', id: dataset_id }, { ...requester, ...options });
  }

  /** Returns the plan of an import. @throws UnknownRecordError if the source does not contain the dataset */
  plan({ dataset_id }: ImportDataset): Promise<ImportPlan> {
    return this.requests.plan({ kind: 'dataset', id: dataset_id });
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

  /** Requests the withdrawal of a dataset. @throws UnknownRecordError if the dataset is not imported */
  withdraw(id: string, reason: string, requester: RequestOptions): Promise<SubmitResult> {
    return this.requests.withdraw(id, reason, requester);
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
    { submission, state, q }: SearchDatasets,
    isIncluded: (place: SourcePlace, snapshot: Snapshot) => boolean,
  ): Promise<Listing<SourcePlace, DatasetResponse>> {
    const snapshot = await this.inventory.take();
    const { submissions, datasets } = snapshot.listing;
    if (submission !== undefined && !submissions.some(({ reference }) => reference === submission)) {
      throw new UnknownRecordError('submission', submission);
    }
    const matches = (place: SourcePlace): boolean =>
      (submission === undefined || place.submission === submission) &&
      isIncluded(place, snapshot) &&
      (state === undefined || stateOfDataset(place, snapshot) === state) &&
      (q === undefined || containsText(q, place.id, snapshot.summaryOf(place)?.title));
    return {
      version: snapshot.version,
      asOf: snapshot.scannedAt,
      select: () => datasets.filter(matches),
      keyOf: ({ submission: reference, id }) => `${reference}\u0000${id}`,
      toItem: (place) => toDatasetResponse(place, snapshot),
    };
  }
}
