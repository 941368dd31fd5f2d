import { Injectable } from '@nestjs/common';
import { sql, type Sql } from '../../platform/database/sql.js';
import type { DocumentQuery } from '../../publishing/documents/document-query.js';
import type { VisibleRecords } from '../../publishing/visibility/visibility.js';

/** The SQL that selects partners. */
@Injectable()
export class PartnersRepository {
  /** @param withPublication whether each partner has the member `published` */
  query({ view, visible }: VisibleRecords, withPublication: boolean, filters: readonly Sql[] = []): DocumentQuery {
    const members = withPublication
      ? sql`document.body || ',"published":' || document.published::text`
      : sql`document.body`;
    return { list: 'partners', view, where: [visible, ...filters], members };
  }
}
