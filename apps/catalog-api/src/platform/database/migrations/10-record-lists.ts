import type { MigrationInterface, QueryRunner } from 'typeorm';

const withAccession = `name || ' ' || coalesce(external_id, '')`;

/** What a search looks into, by table. */
const searched = {
  projects: `acronym || ' ' || ${withAccession}`,
  datasets: withAccession,
  contracts: 'name',
  partners: `coalesce(acronym, '') || ' ' || ${withAccession}`,
  cohorts: withAccession,
};

/** Indexes by which the lists of records can be searched and sorted over a hundred thousand rows. */
export class RecordLists1790001000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [table, text] of Object.entries(searched)) {
      await runner.query(`
        CREATE INDEX ${table}_lower_name_idx ON ${table} (lower(name), id);
        CREATE INDEX ${table}_search_idx ON ${table} USING gin (search_form(${text}) gin_trgm_ops);
        CREATE INDEX ${documentsOf(table)}_changed_at_id_idx ON ${documentsOf(table)} (changed_at, id)`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of Object.keys(searched)) {
      await runner.query(
        `DROP INDEX ${documentsOf(table)}_changed_at_id_idx, ${table}_search_idx, ${table}_lower_name_idx`,
      );
    }
  }
}

function documentsOf(table: string): string {
  return `${table.slice(0, -1)}_documents`;
}
