import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { CreateExposure, ExposureResponse } from './exposure.dto.js';

/** The `form_id` of an exposure without a form. Endpoints expect a number. */
const noForm = 0;

/** The statements about exposures. */
@Injectable()
export class ExposuresRepository {
  /** The manager for reads outside a transaction. */
  readonly manager: EntityManager;

  constructor(dataSource: DataSource) {
    this.manager = dataSource.manager;
  }

  /** Returns the exposures of a dataset, oldest first. */
  list(manager: EntityManager, dataset: number): Promise<ExposureResponse[]> {
    return this.select(manager, 'exposure.dataset_id = $1', [dataset]);
  }

  async find(manager: EntityManager, dataset: number, id: number): Promise<ExposureResponse | undefined> {
    return (await this.select(manager, 'exposure.dataset_id = $1 AND exposure.id = $2', [dataset, id]))[0];
  }

  /** Returns the id of the endpoint with a name. Until the transaction ends, the endpoint cannot be removed. */
  async findEndpointByName(manager: EntityManager, name: string): Promise<number | undefined> {
    const [row] = await manager.query<{ id: number }[]>('SELECT id FROM endpoints WHERE name = $1 FOR KEY SHARE', [
      name,
    ]);
    return row?.id;
  }

  /** Returns the id of the new exposure, or undefined if the dataset is already exposed to the endpoint. */
  async insert(
    manager: EntityManager,
    dataset: number,
    endpoint: number,
    { form_id, form_name, request_pdf_enabled }: CreateExposure,
  ): Promise<number | undefined> {
    const [row] = await manager.query<{ id: number }[]>(
      `INSERT INTO exposures (dataset_id, endpoint_id, form_id, form_name, request_pdf_enabled)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (dataset_id, endpoint_id) WHERE deprecated_at IS NULL DO NOTHING RETURNING id`,
      [dataset, endpoint, form_id ?? noForm, form_name || null, request_pdf_enabled ?? false],
    );
    return row?.id;
  }

  /** Deprecates an active exposure. */
  async deprecate(manager: EntityManager, id: number, reason: string): Promise<void> {
    await manager.query(
      `UPDATE exposures SET deprecated_at = now(), deprecation_notes = $2, updated_at = now()
        WHERE id = $1 AND deprecated_at IS NULL`,
      [id, reason],
    );
  }

  /** Returns the ids of the partners and cohorts that the declarations of a dataset name. */
  async findDeclared(manager: EntityManager, dataset: number): Promise<{ partners: number[]; cohorts: number[] }> {
    const [declared] = await manager.query<[{ partners: number[]; cohorts: number[] }]>(
      `SELECT ARRAY(SELECT DISTINCT partner_id FROM data_declarations
                     WHERE dataset_id = $1 AND partner_id IS NOT NULL) AS partners,
              ARRAY(SELECT DISTINCT link.cohort_id FROM data_declarations AS declaration
                      JOIN data_declaration_cohorts AS link ON link.data_declaration_id = declaration.id
                     WHERE declaration.dataset_id = $1) AS cohorts`,
      [dataset],
    );
    return declared;
  }

  private async select(
    manager: EntityManager,
    condition: string,
    values: readonly number[],
  ): Promise<ExposureResponse[]> {
    const rows = await manager.query<{ exposure: ExposureResponse }[]>(
      `SELECT json_build_object(
                'id', exposure.id, 'endpoint', endpoint.name, 'form_id', exposure.form_id,
                'form_name', exposure.form_name, 'request_pdf_enabled', exposure.request_pdf_enabled,
                'released_date', ${instant('exposure.created_at')},
                'deprecated', exposure.deprecated_at IS NOT NULL,
                'deprecation_date', ${instant('exposure.deprecated_at')},
                'deprecation_notes', exposure.deprecation_notes) AS exposure
         FROM exposures AS exposure JOIN endpoints AS endpoint ON endpoint.id = exposure.endpoint_id
        WHERE ${condition} ORDER BY exposure.id`,
      [...values],
    );
    return rows.map(({ exposure }) => exposure);
  }
}

function instant(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
