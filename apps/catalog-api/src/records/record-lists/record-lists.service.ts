import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import type { ListName } from '../../publishing/documents/list-names.js';
import { Visibility } from '../../publishing/visibility/visibility.js';
import { type RecordPage, type RecordQuery, type RecordRow } from './record-list.dto.js';
import { RecordListsRepository } from './record-lists.repository.js';

/** Searches, filters, sorts and counts the records that the caller may read. */
@Injectable()
export class RecordListsService {
  constructor(
    private readonly visibility: Visibility,
    private readonly repository: RecordListsRepository,
  ) {}

  /** @throws InvalidInputError if `cursor` is invalid */
  async search(caller: Principal, list: ListName, query: RecordQuery): Promise<RecordPage> {
    const page = await this.repository.search(list, this.visibility.visibleRecords(caller, list, true), query);
    return { ...page, items: page.items.map(toRecordRow) };
  }
}

/** Returns the public members of a row. */
export function toRecordRow(row: RecordRow): RecordRow {
  const { id, external_id, name, acronym, project_id, project, published, created_at, changed_at } = row;
  return { id, external_id, name, acronym, project_id, project, published, created_at, changed_at };
}
