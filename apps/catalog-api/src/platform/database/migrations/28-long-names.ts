import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables whose names are unique, with the previous length of the name. */
const named = { partners: 500, cohorts: 500, datasets: 500, platforms: 200 };

/** Tables whose lists are ordered by name. */
const listed = ['projects', 'datasets', 'contracts', 'partners', 'cohorts'];

/** The other columns with a name, with their previous length. */
const columns: readonly (readonly [table: string, column: string, length: number])[] = [
  ['partners', 'acronym', 500],
  ['data_declarations', 'title', 500],
  ['contacts', 'first_name', 255],
  ['contacts', 'last_name', 255],
  ['use_class_labels', 'label', 200],
];

const maxLength = 10_000;

/** The view that refers to one of the columns. */
const labels = `
  CREATE VIEW labelled_use_classes AS
    SELECT class.code, coalesce(own.label, class.label) AS label, class.duo, class.label AS default_label
    FROM use_classes AS class LEFT JOIN use_class_labels AS own ON own.code = class.code`;

/**
 * Names as long as those of a migrated DAISY. An entry of a B-tree has at most 2,704 bytes, therefore indexes contain
 * hashes or first characters of names.
 */
export class LongNames1790003720000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of Object.keys(named)) {
      await runner.query(`
        ALTER TABLE ${table} DROP CONSTRAINT ${table}_name_key, ALTER COLUMN name TYPE varchar(${String(maxLength)});
        ALTER TABLE ${table} ADD CONSTRAINT ${table}_name_key EXCLUDE USING hash (name WITH =)`);
    }
    await runner.query(`
      ALTER TABLE data_declarations DROP CONSTRAINT data_declarations_dataset_id_title_key;
      DROP INDEX contacts_last_name_first_name_idx, partners_acronym_idx;
      DROP VIEW labelled_use_classes`);
    for (const [table, column] of columns) await lengthen(runner, table, column, maxLength);
    await runner.query(`${labels};
      CREATE UNIQUE INDEX data_declarations_dataset_id_title_key ON data_declarations (dataset_id, md5(title));
      CREATE INDEX contacts_name_idx ON contacts USING hash ((last_name || ' ' || first_name));
      CREATE INDEX partners_acronym_idx ON partners USING hash (acronym);
      CREATE FUNCTION name_order(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
        RETURN lower(left(name, 200))`);
    await orderBy(runner, 'name_order(name)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await orderBy(runner, 'lower(name)');
    await runner.query(`
      DROP FUNCTION name_order;
      DROP INDEX data_declarations_dataset_id_title_key, contacts_name_idx, partners_acronym_idx;
      DROP VIEW labelled_use_classes`);
    for (const [table, column, length] of columns) await lengthen(runner, table, column, length);
    await runner.query(`${labels};
      CREATE INDEX partners_acronym_idx ON partners (acronym);
      CREATE INDEX contacts_last_name_first_name_idx ON contacts (last_name, first_name);
      ALTER TABLE data_declarations ADD CONSTRAINT data_declarations_dataset_id_title_key UNIQUE (dataset_id, title)`);
    for (const [table, length] of Object.entries(named)) {
      await runner.query(`ALTER TABLE ${table} DROP CONSTRAINT ${table}_name_key`);
      await lengthen(runner, table, 'name', length);
      await runner.query(`ALTER TABLE ${table} ADD CONSTRAINT ${table}_name_key UNIQUE (name)`);
    }
  }
}

/** Sets the length of a column. Longer texts are cut. */
async function lengthen(runner: QueryRunner, table: string, column: string, length: number): Promise<void> {
  const using = length === maxLength ? '' : ` USING left(${column}, ${String(length)})`;
  await runner.query(`ALTER TABLE ${table} ALTER COLUMN ${column} TYPE varchar(${String(length)})${using}`);
}

/** Creates the indexes by which lists are ordered again, with another expression. */
async function orderBy(runner: QueryRunner, expression: string): Promise<void> {
  for (const table of listed) {
    await runner.query(`
      DROP INDEX ${table}_lower_name_idx;
      CREATE INDEX ${table}_lower_name_idx ON ${table} (${expression}, id)`);
  }
}
