import { Injectable } from '@nestjs/common';
import { sql } from '../../platform/database/sql.js';
import type { DocumentQuery } from '../../publishing/documents/document-query.js';

/** The first and last name. A person without a name is shown by the e-mail address, otherwise by the id. */
const shownName = sql`shown_name(document.first_name, document.last_name, document.email, document.id)`;

/** The SQL that selects people. */
@Injectable()
export class UsersRepository {
  /** Returns the query of active people. Technical accounts are not people. */
  query(): DocumentQuery {
    return {
      list: 'users',
      view: 'all',
      where: [sql`document.active AND NOT document.technical`],
      item: sql`'{"id":' || document.id || ',"text":' || to_json(${shownName}) || '}'`,
    };
  }
}
