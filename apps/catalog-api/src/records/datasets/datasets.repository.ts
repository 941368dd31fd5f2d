import { Injectable } from '@nestjs/common';
import { sql, type Sql } from '../../platform/database/sql.js';
import type { DocumentQuery } from '../../publishing/documents/document-query.js';
import type { VisibleRecords } from '../../publishing/visibility/visibility.js';
import { projectIdOf } from '../projects/project-filter.js';
import type { SearchDatasets } from './search-datasets.dto.js';

/** The filters of a list of datasets. */
export type DatasetFilters = Pick<SearchDatasets, 'project_id' | 'project_title'>;

/** The SQL that selects datasets. */
@Injectable()
export class DatasetsRepository {
  /** Returns the query of the visible datasets with all their storages. */
  query({ view, visible }: VisibleRecords, filters: DatasetFilters = {}): DocumentQuery {
    return {
      list: 'datasets',
      view,
      where: [visible, ...conditionsOf(filters)],
      members: sql`document.body || ',"storages":' || document.storages`,
    };
  }

  /** Returns the query of the visible datasets with public storages and their exposure to an endpoint. */
  exposedQuery(endpointId: string, visible: VisibleRecords, filters: DatasetFilters = {}): DocumentQuery {
    return {
      ...this.query(visible, filters),
      joins: exposureTo(endpointId),
      members: sql`document.body || ',"storages":' || document.public_storages
        || ',' || substr(row_to_json(shown)::text, 2, length(row_to_json(shown)::text) - 2)`,
    };
  }
}

/** Returns the join of one exposure to an endpoint: the active one, otherwise the latest deprecated one. */
const exposureTo = (endpointId: string): Sql => sql`
  JOIN LATERAL (
    SELECT exposure.* FROM exposures AS exposure
    WHERE exposure.dataset_id = document.id AND exposure.endpoint_id = ${endpointId}::integer
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

function conditionsOf({ project_id, project_title }: DatasetFilters): Sql[] {
  const conditions: Sql[] = [];
  if (project_id !== undefined) {
    conditions.push(sql`document.id IN (SELECT id FROM datasets WHERE project_id = ${projectIdOf(project_id)})`);
  }
  if (project_title !== undefined) {
    conditions.push(sql`document.id IN (
            SELECT dataset.id FROM datasets AS dataset JOIN projects AS project ON project.id = dataset.project_id
            WHERE name_order(project.name) = name_order(${project_title}) AND project.name = ${project_title})`);
  }
  return conditions;
}
