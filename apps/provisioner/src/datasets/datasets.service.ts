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
import { stateOfDataset, toDatasetResponse, type DatasetResponse } from './dataset.response.js';
import type { ImportDataset, SearchDatasetDiff, SearchDatasets } from './datasets.query.js';

/** The datasets of the source beside what storage holds of them. */
@Injectable()
export class DatasetsService {
  constructor(
    private readonly inventory: Inventory,
    private readonly index: SourceIndex,
    private readonly requests: ImportRequests,
    private readonly storage: Storage,
  ) {}

  /** Every dataset of the source, or of one submission. @throws UnknownRecordError for an unknown submission */
  search(query: SearchDatasets): Promise<Listing<SourcePlace, DatasetResponse>> {
    return this.list(query, () => true);
  }

  /** Every dataset that is not imported, and when asked those that changed since. @throws UnknownRecordError as above */
  searchDiff({ changed, ...query }: SearchDatasetDiff): Promise<Listing<SourcePlace, DatasetResponse>> {
    return this.list(query, (place, snapshot) => {
      if (!snapshot.stored.dataset.commits.has(place.id)) return true;
      return changed === 'true' && stateOfDataset(place, snapshot) === 'differs';
    });
  }

  /** One dataset as lists show it, walked anew where its name can be an id. @throws UnknownRecordError */
  async get(id: string): Promise<DatasetResponse> {
    const places = await this.index.findNamed({ kind: 'dataset', id });
    const [place] = places;
    if (!place) throw new UnknownRecordError('dataset', id);
    return toDatasetResponse(place, await this.inventory.takeScanning(places));
  }

  import({ dataset_id, ...options }: ImportDataset, asker: RequestOptions): Promise<SubmitResult> {
    return this.requests.submit({ kind: 'dataset', id: dataset_id }, { ...asker, ...options });
  }

  plan({ dataset_id }: ImportDataset): Promise<ImportPlan> {
    return this.requests.plan({ kind: 'dataset', id: dataset_id });
  }

  /** The stored list of an imported dataset's files. @throws UnknownRecordError when it is not imported */
  async manifest(id: string, form: 'ndjson' | 'sha256sum'): Promise<Readable> {
    const subject = { kind: 'dataset', id } as const;
    if (!isIdentifier(id) || !(await this.storage.findCommit(subject)))
      throw new UnknownRecordError('imported dataset', id);
    return this.storage.openList(subject, form);
  }

  /** Asks for an imported dataset to be taken out of sight. @throws UnknownRecordError when it is not imported */
  withdraw(id: string, reason: string, asker: RequestOptions): Promise<SubmitResult> {
    return this.requests.withdraw(id, reason, asker);
  }

  /** Asks for a fixity check of an imported dataset. @throws UnknownRecordError, ImportStateError */
  async verify(id: string, asker: RequestOptions): Promise<SubmitResult> {
    const subject = { kind: 'dataset', id } as const;
    if (!isIdentifier(id)) throw new UnknownRecordError('dataset', id);
    if (await this.storage.findCommit(subject)) return this.requests.open('verify', id, asker);
    const [place] = (await this.index.find(subject)).places;
    if (!place) throw new UnknownRecordError('dataset', id);
    throw new ImportStateError(`${id} is not imported; there is nothing to verify.`, 'not_imported');
  }

  private async list(
    { submission, state, q }: SearchDatasets,
    isWanted: (place: SourcePlace, snapshot: Snapshot) => boolean,
  ): Promise<Listing<SourcePlace, DatasetResponse>> {
    const snapshot = await this.inventory.take();
    const { submissions, datasets } = snapshot.listing;
    if (submission !== undefined && !submissions.some(({ reference }) => reference === submission)) {
      throw new UnknownRecordError('submission', submission);
    }
    const matches = (place: SourcePlace): boolean =>
      (submission === undefined || place.submission === submission) &&
      isWanted(place, snapshot) &&
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
