import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import { sql } from '../../platform/database/sql.js';
import type { DocumentQuery, ListRequest, RecordRequest } from '../../publishing/documents/document-query.js';
import { pageOf } from '../../publishing/documents/list-parameters.dto.js';
import { projectIdOf } from '../projects/project-filter.js';
import { Visibility } from '../../publishing/visibility/visibility.js';
import type { SearchContracts } from './search-contracts.dto.js';

/** Reading contracts. */
@Injectable()
export class ContractsService {
  constructor(private readonly visibility: Visibility) {}

  /** The contracts that the caller sees. @throws InvalidInputError for a bad `cursor` */
  search(caller: Principal, query: SearchContracts): ListRequest {
    const seen = this.seenBy(caller, query.all?.toLowerCase() === 'true');
    const asked =
      query.project_id === undefined
        ? []
        : [sql`document.id IN (SELECT id FROM contracts WHERE project_id = ${projectIdOf(query.project_id)})`];
    return {
      ...seen,
      where: [...seen.where, ...asked],
      envelope: { open: '{"items":[', close: ']}' },
      page: pageOf(query),
      filteredByOtherRecords: query.project_id !== undefined,
    };
  }

  /** One contract; whoever sees every contract sees those outside the base set too. */
  get(caller: Principal, id: string): RecordRequest {
    return { ...this.seenBy(caller, true), kind: 'contract', id };
  }

  private seenBy(caller: Principal, all: boolean): DocumentQuery {
    const view = this.visibility.view(caller, 'contracts', all);
    return { list: 'contracts', view, where: [this.visibility.contracts(caller, all)], members: sql`document.body` };
  }
}
