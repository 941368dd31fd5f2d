import { Injectable } from '@nestjs/common';
import { sql, type Sql } from '../../platform/database/sql.js';
import type { DocumentQuery } from '../../publishing/documents/document-query.js';
import type { VisibleRecords } from '../../publishing/visibility/visibility.js';

/** The parts of a cohort that only some callers see. */
export interface CohortParts {
  /** Whether the people of a cohort have their contact details. */
  readonly contactDetails: boolean;
  /** Whether each cohort has the member `published`. */
  readonly publication: boolean;
}

/** The SQL that selects cohorts. */
@Injectable()
export class CohortsRepository {
  /** Returns the query of the visible cohorts. */
  query({ view, visible }: VisibleRecords, parts: CohortParts, filters: readonly Sql[] = []): DocumentQuery {
    const people = parts.contactDetails ? sql`document.people` : sql`document.public_people`;
    const published = parts.publication ? sql` || ',"published":' || document.published::text` : sql``;
    return {
      list: 'cohorts',
      view,
      where: [visible, ...filters],
      members: sql`document.body || ',' || ${people}${published}`,
    };
  }
}
