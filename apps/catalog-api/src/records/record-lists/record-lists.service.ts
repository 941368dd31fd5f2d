import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import type { Sql } from '../../platform/database/sql.js';
import type { ListName } from '../../publishing/documents/list-names.js';
import { Visibility } from '../../publishing/visibility/visibility.js';
import { type RecordPage, type RecordQuery, type RecordRow } from './record-list.dto.js';
import { RecordListsRepository } from './record-lists.repository.js';

/** Lists to work with: searched, filtered, sorted and counted; each shows what the caller may read one by one. */
@Injectable()
export class RecordListsService {
  constructor(
    private readonly visibility: Visibility,
    private readonly repository: RecordListsRepository,
  ) {}

  /** @throws InvalidInputError for a bad `cursor` */
  async search(caller: Principal, list: ListName, query: RecordQuery): Promise<RecordPage> {
    const sight = { view: this.visibility.view(caller, list, true), visible: this.seenBy(caller, list) };
    const page = await this.repository.search(list, sight, query);
    return { ...page, items: page.items.map(toRecordRow) };
  }

  private seenBy(caller: Principal, list: ListName): Sql {
    return list === 'contracts' ? this.visibility.contracts(caller, true) : this.visibility[list](caller);
  }
}

function toRecordRow(row: RecordRow): RecordRow {
  const { id, external_id, name, acronym, project_id, project, published, created_at, changed_at } = row;
  return { id, external_id, name, acronym, project_id, project, published, created_at, changed_at };
}
