import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import type { DocumentQuery, RecordRequest } from '../../publishing/documents/document-query.js';
import { pageOf } from '../../publishing/documents/list-parameters.dto.js';
import type { ReadConditions } from '../../publishing/documents/read-headers.decorator.js';
import type { StoredDocument, StreamedList } from '../../publishing/documents/stored-response.js';
import { openWithSchema } from '../../publishing/schemas/schema-urls.js';
import { HttpSettings } from '../../platform/settings/http.settings.js';
import { Visibility } from '../../publishing/visibility/visibility.js';
import { NegotiatedReader } from '../linked-data/negotiated-reader.js';
import { DatasetsRepository, type DatasetFilters } from './datasets.repository.js';
import type { SearchDatasets } from './search-datasets.dto.js';

/** Reads datasets. */
@Injectable()
export class DatasetsService {
  constructor(
    private readonly visibility: Visibility,
    private readonly repository: DatasetsRepository,
    private readonly reader: NegotiatedReader,
    private readonly settings: HttpSettings,
  ) {}

  /**
   * Returns the datasets that the caller sees.
   *
   * @throws InvalidInputError if `cursor` is invalid
   */
  async search(caller: Principal, query: SearchDatasets, conditions: ReadConditions): Promise<StreamedList> {
    const request = {
      ...this.query(caller, query),
      envelope: { open: openWithSchema('datasets', this.settings.BASE_PATH), close: ']}' },
      page: pageOf(query),
      filteredByOtherRecords: query.project_title !== undefined,
    };
    return this.reader.list(request, caller, conditions);
  }

  /** @throws UnknownRecordError if the caller sees no such dataset */
  get(caller: Principal, id: string, conditions: ReadConditions): Promise<StoredDocument> {
    return this.reader.record(this.requestOf(caller, id), caller, conditions);
  }

  /** Returns the request of one dataset as the caller sees it. Writes check their preconditions with this request. */
  requestOf(caller: Principal, id: string): RecordRequest {
    return { ...this.query(caller), kind: 'dataset', id };
  }

  private query(caller: Principal, filters?: DatasetFilters): DocumentQuery {
    const visible = this.visibility.visibleRecords(caller, 'datasets');
    if (caller.kind !== 'endpoint') return this.repository.query(visible, filters);
    return this.repository.exposedQuery(caller.endpointId, visible, filters);
  }
}
