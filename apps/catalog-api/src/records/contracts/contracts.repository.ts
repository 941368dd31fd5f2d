import { Injectable } from '@nestjs/common';
import { sql } from '../../platform/database/sql.js';
import type { DocumentQuery } from '../../publishing/documents/document-query.js';
import type { VisibleRecords } from '../../publishing/visibility/visibility.js';
import { projectIdOf } from '../projects/project-filter.js';
import type { SearchContracts } from './search-contracts.dto.js';

/** The SQL that selects contracts. */
@Injectable()
export class ContractsRepository {
  /** Returns the query of the visible contracts, limited by the filters if there are any. */
  query({ view, visible }: VisibleRecords, { project_id }: Pick<SearchContracts, 'project_id'> = {}): DocumentQuery {
    const filters =
      project_id === undefined
        ? []
        : [sql`document.id IN (SELECT id FROM contracts WHERE project_id = ${projectIdOf(project_id)})`];
    return { list: 'contracts', view, where: [visible, ...filters], members: sql`document.body` };
  }
}
