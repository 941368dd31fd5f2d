import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import { sql } from '../../platform/database/sql.js';
import type { DocumentQuery, ListRequest, RecordRequest } from '../../publishing/documents/document-query.js';
import { pageOf } from '../../publishing/documents/list-parameters.dto.js';
import { publishedFilter } from '../../publishing/documents/published-filter.js';
import { Visibility } from '../../publishing/visibility/visibility.js';
import type { SearchCohorts } from './search-cohorts.dto.js';

/** Reading cohorts. */
@Injectable()
export class CohortsService {
  constructor(private readonly visibility: Visibility) {}

  /** The cohorts that the caller sees. @throws InvalidInputError for a bad `published` or `cursor` */
  search(caller: Principal, query: SearchCohorts): ListRequest {
    const seen = this.seenBy(caller);
    const published = this.visibility.seesUnpublishedCohorts(caller) ? (query.published ?? 'true') : undefined;
    return {
      ...seen,
      where: [...seen.where, ...publishedFilter(published, ['true', 'false', 'all'])],
      envelope: { open: '{"results":[', close: ']}' },
      page: pageOf(query),
      open: caller.kind === 'anonymous' || caller.kind === 'unknown',
    };
  }

  /** One cohort. */
  get(caller: Principal, id: string): RecordRequest {
    return { ...this.seenBy(caller), kind: 'cohort', id };
  }

  private seenBy(caller: Principal): DocumentQuery {
    const people = this.visibility.seesContactDetails(caller) ? sql`document.people` : sql`document.public_people`;
    const published = this.visibility.seesPublication(caller)
      ? sql` || ',"published":' || document.published::text`
      : sql``;
    return {
      list: 'cohorts',
      view: this.visibility.view(caller, 'cohorts'),
      where: [this.visibility.cohorts(caller)],
      members: sql`document.body || ',' || ${people}${published}`,
    };
  }
}
