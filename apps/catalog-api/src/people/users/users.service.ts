import { Injectable } from '@nestjs/common';
import { sql } from '../../platform/database/sql.js';
import type { ListRequest } from '../../publishing/documents/document-query.js';
import { pageOf, type ListParameters } from '../../publishing/documents/list-parameters.dto.js';

/** First and last name; the e-mail address, or the id, of a person without a name. */
const shownName = sql`shown_name(document.first_name, document.last_name, document.email, document.id)`;

/** Reading the list of people. */
@Injectable()
export class UsersService {
  /** Active people, by last and first name; no technical account. @throws InvalidInputError for a bad `cursor` */
  search(query: ListParameters): ListRequest {
    return {
      list: 'users',
      view: 'all',
      where: [sql`document.active AND NOT document.technical`],
      item: sql`'{"id":' || document.id || ',"text":' || to_json(${shownName}) || '}'`,
      envelope: { open: '{"results":[', close: ']}' },
      page: pageOf(query, true),
    };
  }
}
