import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import type { Sql } from '../../platform/database/sql.js';
import type { DocumentQuery, RecordRequest } from '../../publishing/documents/document-query.js';
import { DocumentReader } from '../../publishing/documents/document-reader.js';
import { pageOf } from '../../publishing/documents/list-parameters.dto.js';
import { publishedFilter } from '../../publishing/documents/published-filter.js';
import type { ReadConditions } from '../../publishing/documents/read-headers.decorator.js';
import type { StoredDocument, StreamedList } from '../../publishing/documents/stored-response.js';
import { Visibility } from '../../publishing/visibility/visibility.js';
import { CohortsRepository } from './cohorts.repository.js';
import type { SearchCohorts } from './search-cohorts.dto.js';

/** Reads cohorts. */
@Injectable()
export class CohortsService {
  constructor(
    private readonly visibility: Visibility,
    private readonly repository: CohortsRepository,
    private readonly reader: DocumentReader,
  ) {}

  /**
   * Returns the cohorts that the caller sees. `published` is ignored if the caller sees only published cohorts.
   *
   * @throws InvalidInputError if `published` or `cursor` is invalid
   */
  async search(caller: Principal, query: SearchCohorts, conditions: ReadConditions): Promise<StreamedList> {
    const published = this.visibility.seesUnpublishedCohorts(caller) ? (query.published ?? 'true') : undefined;
    const request = {
      ...this.query(caller, publishedFilter(published, ['true', 'false', 'all'])),
      envelope: { open: '{"results":[', close: ']}' },
      page: pageOf(query),
      isPublic: caller.kind === 'anonymous' || caller.kind === 'unknown',
    };
    return this.reader.list(request, conditions);
  }

  /** @throws UnknownRecordError if the caller sees no such cohort */
  get(caller: Principal, id: string, conditions: ReadConditions): Promise<StoredDocument> {
    return this.reader.record(this.requestOf(caller, id), conditions);
  }

  /** Returns the request of one cohort as the caller sees it. Writes check their preconditions with this request. */
  requestOf(caller: Principal, id: string): RecordRequest {
    return { ...this.query(caller), kind: 'cohort', id };
  }

  private query(caller: Principal, filters?: readonly Sql[]): DocumentQuery {
    const parts = {
      contactDetails: this.visibility.seesContactDetails(caller),
      publication: this.visibility.seesPublication(caller),
    };
    return this.repository.query(this.visibility.visibleRecords(caller, 'cohorts'), parts, filters);
  }
}
