import { Injectable } from '@nestjs/common';
import { UnknownRecordError } from '@rdc/errors';
import type { Readable } from 'node:stream';
import { ImportRequests, type Asked, type Asking, type ImportPlan } from '../imports/import-requests.js';
import { ImportStateError } from '../imports/imports.errors.js';
import { Inventory } from '../inventory/inventory.js';
import { holds, type FullList } from '../lists/list.answer.js';
import { SourceIndex } from '../source/source-index.js';
import { isIdentifier } from '../source/identifier.js';
import { Storage } from '../storage/storage.js';
import { toDatasetResponse, type DatasetResponse, type DatasetState } from './dataset.response.js';
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
  async search(query: SearchDatasets): Promise<FullList<DatasetResponse>> {
    const snapshot = await this.inventory.take();
    const { submissions, datasets } = snapshot.listing;
    const { submission, state, q } = query;
    if (submission !== undefined && !submissions.some(({ reference }) => reference === submission)) {
      throw new UnknownRecordError('submission', submission);
    }
    const items = datasets
      .filter((place) => submission === undefined || place.submission === submission)
      .map((place) => toDatasetResponse(place, snapshot))
      .filter((item) => state === undefined || item.state === state)
      .filter((item) => holds(q, item.id, item.title))
      .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
    return { items, keyOf, asOf: snapshot.scan.scannedAt };
  }

  /** Every dataset that is not imported, and when asked those that changed since. */
  async searchDiff({ changed, ...query }: SearchDatasetDiff): Promise<FullList<DatasetResponse>> {
    const wanted = new Set<DatasetState>(['not_imported', 'importing', 'failed', 'rejected']);
    if (changed === 'true') wanted.add('differs');
    const all = await this.search(query);
    return { ...all, items: all.items.filter(({ state }) => wanted.has(state)) };
  }

  /** One dataset, walked anew. @throws UnknownRecordError */
  async get(id: string): Promise<DatasetResponse> {
    const places = await this.index.find({ kind: 'dataset', id });
    const [place] = places;
    if (!place) throw new UnknownRecordError('dataset', id);
    return toDatasetResponse(place, await this.inventory.takeWith(places));
  }

  import({ dataset_id, ...options }: ImportDataset, asker: Asking): Promise<Asked> {
    return this.requests.ask({ kind: 'dataset', id: dataset_id }, { ...asker, ...options });
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

  /** Asks for a fixity check of an imported dataset. @throws UnknownRecordError, ImportStateError */
  async verify(id: string, asker: Asking): Promise<Asked> {
    const subject = { kind: 'dataset', id } as const;
    if (!isIdentifier(id)) throw new UnknownRecordError('dataset', id);
    if (await this.storage.findCommit(subject)) return this.requests.open('verify', id, asker);
    const [place] = await this.index.find(subject);
    if (!place) throw new UnknownRecordError('dataset', id);
    throw new ImportStateError(`${id} is not imported; there is nothing to verify.`, 'not_imported');
  }
}

function keyOf({ submission, id }: DatasetResponse): string {
  return `${submission}\u0000${id}`;
}
