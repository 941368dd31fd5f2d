import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import { sql } from '../../platform/database/sql.js';
import type { DocumentQuery, ListRequest, RecordRequest } from '../../publishing/documents/document-query.js';
import { fieldsOf } from '../../publishing/documents/field-list.js';
import { pageOf } from '../../publishing/documents/list-parameters.dto.js';
import { openWithSchema } from '../../publishing/schemas/schema-urls.js';
import { CatalogSettings } from '../../platform/settings/catalog.settings.js';
import { Visibility } from '../../publishing/visibility/visibility.js';
import { projectIdOf } from './project-filter.js';
import type { SearchProjects } from './search-projects.dto.js';

/** The members of a project that `fields` can select, in the order of the record. */
const projectFields = [
  'source',
  'id_at_source',
  'acronym',
  'external_id',
  'name',
  'description',
  'has_institutional_ethics_approval',
  'has_national_ethics_approval',
  'institutional_ethics_approval_notes',
  'national_ethics_approval_notes',
  'start_date',
  'end_date',
  'contacts',
  'publications',
  'metadata',
] as const;

/** Reading projects. */
@Injectable()
export class ProjectsService {
  constructor(
    private readonly visibility: Visibility,
    private readonly settings: CatalogSettings,
  ) {}

  /** The projects that the caller sees. @throws InvalidInputError for a bad `fields` or `cursor` */
  search(caller: Principal, query: SearchProjects): ListRequest {
    const seen = this.seenBy(caller);
    const asked = query.project_id === undefined ? [] : [sql`document.id = ${projectIdOf(query.project_id)}`];
    const fields = fieldsOf(query.fields, projectFields);
    return {
      ...seen,
      where: [...seen.where, ...asked],
      ...(fields && { fields }),
      envelope: { open: openWithSchema('projects', this.settings.BASE_PATH), close: ']}' },
      page: pageOf(query),
    };
  }

  /** One project. */
  get(caller: Principal, id: string): RecordRequest {
    return { ...this.seenBy(caller), kind: 'project', id };
  }

  private seenBy(caller: Principal): DocumentQuery {
    const view = this.visibility.view(caller, 'projects');
    return { list: 'projects', view, where: [this.visibility.projects(caller)], members: sql`document.body` };
  }
}
