import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import type { Sql } from '../../platform/database/sql.js';
import type { DocumentQuery, RecordRequest } from '../../publishing/documents/document-query.js';
import { DocumentReader } from '../../publishing/documents/document-reader.js';
import { fieldsOf } from '../../publishing/documents/field-list.js';
import { pageOf } from '../../publishing/documents/list-parameters.dto.js';
import { publishedFilter } from '../../publishing/documents/published-filter.js';
import type { ReadConditions } from '../../publishing/documents/read-headers.decorator.js';
import type { StoredDocument, StreamedList } from '../../publishing/documents/stored-response.js';
import { Visibility } from '../../publishing/visibility/visibility.js';
import { PartnersRepository } from './partners.repository.js';
import type { SearchPartners } from './search-partners.dto.js';

/** The members of a partner that `fields` can select, in the order of the record. */
const partnerFields = ['external_id', 'name', 'acronym'] as const;

/** Reads partners. */
@Injectable()
export class PartnersService {
  constructor(
    private readonly visibility: Visibility,
    private readonly repository: PartnersRepository,
    private readonly reader: DocumentReader,
  ) {}

  /**
   * Returns the partners that the caller sees, by name. Without a key, `published` and `fields` are ignored.
   *
   * @throws InvalidInputError if `published`, `fields` or `cursor` is invalid
   */
  async search(caller: Principal, query: SearchPartners, conditions: ReadConditions): Promise<StreamedList> {
    const { published, fields: names } = caller.kind === 'anonymous' ? {} : query;
    const fields = fieldsOf(names, partnerFields);
    const request = {
      ...this.query(caller, publishedFilter(published, ['true', 'false'])),
      ...(fields && { fields }),
      envelope: { open: '{"results":[', close: ']}' },
      page: pageOf(query, true),
      isPublic: caller.kind === 'anonymous',
    };
    return this.reader.list(request, conditions);
  }

  /** @throws UnknownRecordError if the caller sees no such partner */
  get(caller: Principal, id: string, conditions: ReadConditions): Promise<StoredDocument> {
    return this.reader.record(this.requestOf(caller, id), conditions);
  }

  /** Returns the request of one partner as the caller sees it. Writes check their preconditions with this request. */
  requestOf(caller: Principal, id: string): RecordRequest {
    return { ...this.query(caller), kind: 'partner', id };
  }

  private query(caller: Principal, filters?: readonly Sql[]): DocumentQuery {
    const withPublication = this.visibility.seesPublication(caller);
    return this.repository.query(this.visibility.visibleRecords(caller, 'partners'), withPublication, filters);
  }
}
