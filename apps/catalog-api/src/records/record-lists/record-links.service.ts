import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import { UnknownRecordError } from '@rdc/errors';
import { canBeId } from '../../platform/database/ids.js';
import { sql, type Sql } from '../../platform/database/sql.js';
import { type ListName, listNames } from '../../publishing/documents/list-names.js';
import { Visibility } from '../../publishing/visibility/visibility.js';
import { type RecordsOfKind, mostLinked, type RecordLinks } from './record-links.dto.js';
import { linksOf } from './record-links.js';
import { RecordListsRepository } from './record-lists.repository.js';
import { toRecordRow } from './record-lists.service.js';

const singulars: Readonly<Record<ListName, string>> = {
  projects: 'project',
  datasets: 'dataset',
  contracts: 'contract',
  partners: 'partner',
  cohorts: 'cohort',
};

/** Finds the records that are linked with a record, in both directions. */
@Injectable()
export class RecordLinksService {
  constructor(
    private readonly visibility: Visibility,
    private readonly repository: RecordListsRepository,
  ) {}

  /** @throws UnknownRecordError if there is no such list, or if the caller may read no such record */
  async find(caller: Principal, list: string, text: string): Promise<RecordLinks> {
    if (!isListName(list)) throw new UnknownRecordError('list', list);
    const unknown = new UnknownRecordError(singulars[list], text);
    if (!canBeId(text)) throw unknown;
    const id = Number(text);
    const { total } = await this.search(caller, list, sql`record.id = ${id}::integer`);
    if (total === 0) throw unknown;
    const conditions = linksOf[list](id, {
      datasets: this.visibility.datasets(caller),
      contracts: this.visibility.contracts(caller, true),
    });
    const linked = (other: ListName): Promise<RecordsOfKind> | RecordsOfKind => {
      const condition = conditions[other];
      return condition ? this.search(caller, other, condition) : { items: [], total: 0 };
    };
    return {
      projects: await linked('projects'),
      datasets: await linked('datasets'),
      contracts: await linked('contracts'),
      partners: await linked('partners'),
      cohorts: await linked('cohorts'),
    };
  }

  private async search(caller: Principal, list: ListName, condition: Sql): Promise<RecordsOfKind> {
    const seen = this.visibility.visibleRecords(caller, list, true);
    const query = { limit: String(mostLinked) };
    const { items, total } = await this.repository.search(list, seen, query, undefined, condition);
    return { items: items.map(toRecordRow), total };
  }
}

function isListName(name: string): name is ListName {
  return listNames.some((list) => list === name);
}
