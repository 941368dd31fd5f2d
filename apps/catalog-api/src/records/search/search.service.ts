import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import { UsersAdminService } from '../../people/users-admin/users-admin.service.js';
import { listNames, type ListName } from '../../publishing/documents/list-names.js';
import type { FoundRow } from '../record-lists/record-lists.repository.js';
import { RecordListsService } from '../record-lists/record-lists.service.js';
import { RecordSearch, type SearchedText } from '../record-lists/record-search.js';
import { TermsRepository } from '../terms/terms.repository.js';
import type { MatchKind, SearchEverything, SearchGroup, SearchMatch, SearchResponse } from './search.dto.js';

const defaultLimit = 5;

const none = { external_id: null, acronym: null, project: null, email: null, category: null };

/** Searches everything that the caller may read. */
@Injectable()
export class SearchService {
  constructor(
    private readonly records: RecordListsService,
    private readonly texts: RecordSearch,
    private readonly terms: TermsRepository,
    private readonly users: UsersAdminService,
  ) {}

  /** Returns the best matches of each kind. The searches run one after the other, on one connection. */
  async search(caller: Principal, { q, limit: asked }: SearchEverything): Promise<SearchResponse> {
    const limit = asked === undefined ? defaultLimit : Number(asked);
    const searched = await this.texts.prepare(q);
    const groups: SearchGroup[] = [];
    for (const list of listNames) groups.push(await this.recordsOf(caller, list, searched, limit));
    groups.push(await this.termsOf(q, limit));
    if (mayReadPeople(caller)) groups.push(await this.peopleOf(caller, q, limit));
    const found = groups.filter(({ items }) => items.length > 0);
    const isExact = ({ items }: SearchGroup): boolean => isAccession(items[0], searched.text);
    return { groups: [...found.filter(isExact), ...found.filter((group) => !isExact(group))] };
  }

  private async recordsOf(
    caller: Principal,
    list: ListName,
    searched: SearchedText,
    limit: number,
  ): Promise<SearchGroup> {
    const rows = await this.records.best(caller, list, searched, limit + 1);
    return groupOf(list, rows.map(toRecordMatch), limit);
  }

  private async termsOf(q: string, limit: number): Promise<SearchGroup> {
    const terms = await this.terms.best(q, limit + 1);
    const items = terms.map(({ term_id, label, category }) => ({ ...none, id: term_id, name: label, category }));
    return groupOf('terms', items, limit);
  }

  private async peopleOf(caller: Principal, q: string, limit: number): Promise<SearchGroup> {
    const { items } = await this.users.search(caller, { q, limit: String(limit + 1) });
    const people = items.map(({ id, first_name, last_name, email }) => ({
      ...none,
      id: String(id),
      name: `${first_name} ${last_name}`.trim(),
      email,
    }));
    return groupOf('people', people, limit);
  }
}

function groupOf(kind: MatchKind, items: SearchMatch[], limit: number): SearchGroup {
  return { kind, items: items.slice(0, limit), more: items.length > limit };
}

function toRecordMatch({ id, external_id, name, acronym, project }: FoundRow): SearchMatch {
  return { ...none, id: String(id), external_id, name, acronym, project };
}

function isAccession(match: SearchMatch | undefined, text: string): boolean {
  return match?.external_id?.toUpperCase() === text.toUpperCase();
}

function mayReadPeople(caller: Principal): boolean {
  return caller.kind === 'global' || (caller.kind === 'session' && caller.roles.includes('admin'));
}
