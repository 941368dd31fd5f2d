import { Injectable } from '@nestjs/common';
import { sql } from '../../platform/database/sql.js';
import type { DocumentQuery } from '../../publishing/documents/document-query.js';
import type { VisibleRecords } from '../../publishing/visibility/visibility.js';
import { projectIdOf } from './project-filter.js';
import type { SearchProjects } from './search-projects.dto.js';

/** The SQL that selects projects. */
@Injectable()
export class ProjectsRepository {
  /** Returns the query of the visible projects, limited by the filters if there are any. */
  query({ view, visible }: VisibleRecords, { project_id }: Pick<SearchProjects, 'project_id'> = {}): DocumentQuery {
    const filters = project_id === undefined ? [] : [sql`document.id = ${projectIdOf(project_id)}`];
    return { list: 'projects', view, where: [visible, ...filters], members: sql`document.body` };
  }
}
