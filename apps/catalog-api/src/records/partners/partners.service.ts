import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import { sql } from '../../platform/database/sql.js';
import type { DocumentQuery, ListRequest, RecordRequest } from '../../publishing/documents/document-query.js';
import { fieldsOf } from '../../publishing/documents/field-list.js';
import { pageOf } from '../../publishing/documents/list-parameters.dto.js';
import { publishedFilter } from '../../publishing/documents/published-filter.js';
import { Visibility } from '../../publishing/visibility/visibility.js';
import type { SearchPartners } from './search-partners.dto.js';

/** The members of a partner that `fields` can select, in the order of the record. */
const partnerFields = ['external_id', 'name', 'acronym'] as const;

/** Reading partners. */
@Injectable()
export class PartnersService {
  constructor(private readonly visibility: Visibility) {}

  /** The partners that the caller sees. @throws InvalidInputError for a bad `published`, `fields` or `cursor` */
  search(caller: Principal, query: SearchPartners): ListRequest {
    const seen = this.seenBy(caller);
    const { published, fields } = caller.kind === 'anonymous' ? {} : query;
    const chosen = fieldsOf(fields, partnerFields);
    return {
      ...seen,
      where: [...seen.where, ...publishedFilter(published, ['true', 'false'])],
      ...(chosen && { fields: chosen }),
      envelope: { open: '{"results":[', close: ']}' },
      page: pageOf(query, true),
      open: caller.kind === 'anonymous',
    };
  }

  /** One partner. */
  get(caller: Principal, id: string): RecordRequest {
    return { ...this.seenBy(caller), kind: 'partner', id };
  }

  private seenBy(caller: Principal): DocumentQuery {
    const members = this.visibility.seesPublication(caller)
      ? sql`document.body || ',"published":' || document.published::text`
      : sql`document.body`;
    const view = this.visibility.view(caller, 'partners');
    return { list: 'partners', view, where: [this.visibility.partners(caller)], members };
  }
}
