import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import type { ListName } from '../../publishing/documents/list-names.js';
import { Visibility, type VisibleRecords } from '../../publishing/visibility/visibility.js';
import type { FacetResponse } from './facet.dto.js';
import { type RecordPage, type RecordQuery, type RecordRow } from './record-list.dto.js';
import { RecordListsRepository, type FoundRow } from './record-lists.repository.js';
import { RecordSearch, type SearchedText } from './record-search.js';

/** Searches, filters, sorts and counts the records that the caller may read. */
@Injectable()
export class RecordListsService {
  constructor(
    private readonly visibility: Visibility,
    private readonly repository: RecordListsRepository,
    private readonly texts: RecordSearch,
  ) {}

  /** @throws InvalidInputError if `cursor` is invalid */
  async search(caller: Principal, list: ListName, query: RecordQuery): Promise<RecordPage> {
    const page = await this.repository.search(list, this.seenBy(caller, list), query, await this.textOf(query));
    return { ...page, items: page.items.map(toRecordRow) };
  }

  /** Counts the values of each facet among the records that {@link search} returns on all pages. */
  async facets(caller: Principal, list: ListName, query: RecordQuery): Promise<FacetResponse> {
    return this.repository.facets(list, this.seenBy(caller, list), query, await this.textOf(query));
  }

  /** Returns the best matches that the caller may read. */
  best(caller: Principal, list: ListName, searched: SearchedText, limit: number): Promise<FoundRow[]> {
    return this.repository.best(list, this.seenBy(caller, list), searched, limit);
  }

  private seenBy(caller: Principal, list: ListName): VisibleRecords {
    return this.visibility.visibleRecords(caller, list, true);
  }

  private async textOf({ q }: RecordQuery): Promise<SearchedText | undefined> {
    return q === undefined ? undefined : this.texts.prepare(q);
  }
}

/** Returns the public members of a row. */
export function toRecordRow(row: RecordRow): RecordRow {
  const { id, external_id, name, acronym, project_id, project, published, created_at, changed_at } = row;
  return { id, external_id, name, acronym, project_id, project, published, created_at, changed_at };
}
