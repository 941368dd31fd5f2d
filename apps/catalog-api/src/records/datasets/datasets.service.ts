import { Injectable } from '@nestjs/common';
import type { EndpointPrincipal, Principal } from '@rdc/auth';
import { sql, type Sql } from '../../platform/database/sql.js';
import type { DocumentQuery, ListRequest, RecordRequest } from '../../publishing/documents/document-query.js';
import { pageOf } from '../../publishing/documents/list-parameters.dto.js';
import { projectIdOf } from '../projects/project-filter.js';
import { openWithSchema } from '../../publishing/schemas/schema-urls.js';
import { CatalogSettings } from '../../platform/settings/catalog.settings.js';
import { Visibility } from '../../publishing/visibility/visibility.js';
import type { SearchDatasets } from './search-datasets.dto.js';

/** The exposure to an endpoint from which its six members are taken: the active one, else the latest deprecated. */
const exposureTo = (caller: EndpointPrincipal): Sql => sql`
  JOIN LATERAL (
    SELECT exposure.* FROM exposures AS exposure
    WHERE exposure.dataset_id = document.id AND exposure.endpoint_id = ${caller.endpointId}::integer
    ORDER BY exposure.deprecated_at DESC NULLS FIRST, exposure.id DESC LIMIT 1
  ) AS exposure ON true
  CROSS JOIN LATERAL (
    SELECT
      exposure.form_id,
      exposure.deprecated_at IS NOT NULL AS deprecated,
      to_char(exposure.deprecated_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS deprecation_date,
      to_char(exposure.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS released_date,
      nullif(exposure.deprecation_notes, '') AS deprecation_notes,
      exposure.request_pdf_enabled
  ) AS shown`;

/** Reading datasets. */
@Injectable()
export class DatasetsService {
  constructor(
    private readonly visibility: Visibility,
    private readonly settings: CatalogSettings,
  ) {}

  /** The datasets that the caller sees. @throws InvalidInputError for a bad `cursor` */
  search(caller: Principal, query: SearchDatasets): ListRequest {
    const seen = this.seenBy(caller);
    return {
      ...seen,
      where: [...seen.where, ...askedFor(query)],
      envelope: { open: openWithSchema('datasets', this.settings.BASE_PATH), close: ']}' },
      page: pageOf(query),
      filteredByOtherRecords: query.project_title !== undefined,
    };
  }

  /** One dataset. */
  get(caller: Principal, id: string): RecordRequest {
    return { ...this.seenBy(caller), kind: 'dataset', id };
  }

  private seenBy(caller: Principal): DocumentQuery {
    const seen = {
      list: 'datasets',
      view: this.visibility.view(caller, 'datasets'),
      where: [this.visibility.datasets(caller)],
    } as const;
    if (caller.kind !== 'endpoint') {
      return { ...seen, members: sql`document.body || ',"storages":' || document.storages` };
    }
    return {
      ...seen,
      joins: exposureTo(caller),
      members: sql`document.body || ',"storages":' || document.public_storages
        || ',' || substr(row_to_json(shown)::text, 2, length(row_to_json(shown)::text) - 2)`,
    };
  }
}

function askedFor({ project_id, project_title }: SearchDatasets): Sql[] {
  const byId =
    project_id === undefined
      ? []
      : [sql`document.id IN (SELECT id FROM datasets WHERE project_id = ${projectIdOf(project_id)})`];
  const byTitle =
    project_title === undefined
      ? []
      : [
          sql`document.id IN (
            SELECT dataset.id FROM datasets AS dataset JOIN projects AS project ON project.id = dataset.project_id
            WHERE lower(project.name) = lower(${project_title}) AND project.name = ${project_title})`,
        ];
  return [...byId, ...byTitle];
}
