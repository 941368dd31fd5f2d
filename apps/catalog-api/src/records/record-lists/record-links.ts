import { sql, type Sql } from '../../platform/database/sql.js';
import type { ListName } from '../../publishing/documents/list-names.js';

/** The conditions of the linked records on the row `record`, by list. A list without a condition has no linked record. */
export type LinkConditions = Partial<Record<ListName, Sql>>;

/** The conditions on `document` of the datasets and contracts that the caller may read. A link never leads through others. */
export interface Passable {
  readonly datasets: Sql;
  readonly contracts: Sql;
}

/** Returns the conditions of the records that are linked with a record of a list. */
export const linksOf: Readonly<Record<ListName, (id: number, passable: Passable) => LinkConditions>> = {
  projects: (id, { datasets, contracts }) => ({
    datasets: sql`record.project_id = ${id}::integer`,
    contracts: sql`record.project_id = ${id}::integer`,
    partners: sql`record.id IN (
      SELECT role.partner_id FROM partner_roles AS role JOIN contracts AS document ON document.id = role.contract_id
      WHERE document.project_id = ${id}::integer AND (${contracts}))`,
    cohorts: sql`record.id IN (
      SELECT held.cohort_id FROM data_declaration_cohorts AS held
      JOIN data_declarations AS declaration ON declaration.id = held.data_declaration_id
      JOIN datasets AS document ON document.id = declaration.dataset_id
      WHERE document.project_id = ${id}::integer AND (${datasets}))`,
  }),
  datasets: (id) => ({
    projects: sql`record.id = (SELECT project_id FROM datasets WHERE id = ${id}::integer)`,
    contracts: sql`record.project_id = (SELECT project_id FROM datasets WHERE id = ${id}::integer)`,
    partners: sql`record.id IN (SELECT partner_id FROM transfers WHERE dataset_id = ${id}::integer)`,
    cohorts: sql`record.id IN (
      SELECT held.cohort_id FROM data_declaration_cohorts AS held
      JOIN data_declarations AS declaration ON declaration.id = held.data_declaration_id
      WHERE declaration.dataset_id = ${id}::integer)`,
  }),
  contracts: (id) => ({
    projects: sql`record.id = (SELECT project_id FROM contracts WHERE id = ${id}::integer)`,
    datasets: sql`record.project_id = (SELECT project_id FROM contracts WHERE id = ${id}::integer)`,
    partners: sql`record.id IN (SELECT partner_id FROM partner_roles WHERE contract_id = ${id}::integer)`,
  }),
  partners: (id, { contracts }) => ({
    projects: sql`record.id IN (
      SELECT document.project_id FROM partner_roles AS role JOIN contracts AS document ON document.id = role.contract_id
      WHERE role.partner_id = ${id}::integer AND (${contracts}))`,
    datasets: sql`record.id IN (SELECT dataset_id FROM transfers WHERE partner_id = ${id}::integer)`,
    contracts: sql`record.id IN (SELECT contract_id FROM partner_roles WHERE partner_id = ${id}::integer)`,
    cohorts: sql`record.id IN (SELECT cohort_id FROM cohort_institutes WHERE partner_id = ${id}::integer)`,
  }),
  cohorts: (id, { datasets }) => ({
    projects: sql`record.id IN (
      SELECT document.project_id FROM data_declaration_cohorts AS held
      JOIN data_declarations AS declaration ON declaration.id = held.data_declaration_id
      JOIN datasets AS document ON document.id = declaration.dataset_id
      WHERE held.cohort_id = ${id}::integer AND (${datasets}))`,
    datasets: sql`record.id IN (
      SELECT declaration.dataset_id FROM data_declaration_cohorts AS held
      JOIN data_declarations AS declaration ON declaration.id = held.data_declaration_id
      WHERE held.cohort_id = ${id}::integer)`,
    partners: sql`record.id IN (SELECT partner_id FROM cohort_institutes WHERE cohort_id = ${id}::integer)`,
  }),
};
