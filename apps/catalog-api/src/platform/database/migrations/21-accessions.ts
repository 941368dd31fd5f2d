import type { MigrationInterface, QueryRunner } from 'typeorm';

const lists = ['projects', 'datasets', 'partners', 'cohorts'];

/**
 * The settings with which the service writes, and every accession with the kind of its record. An accession that records
 * of two kinds already have stays with both.
 */
export class Accessions1790002100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE service_settings (
        name varchar(40) PRIMARY KEY,
        value text
      );
      CREATE TABLE accessions (
        accession varchar(255) PRIMARY KEY,
        list varchar(20) NOT NULL
      );
      -- Records that exist, then removed records.
      INSERT INTO accessions (accession, list)
        ${lists.map((list) => `SELECT external_id, '${list}' FROM ${list} WHERE external_id IS NOT NULL`).join(' UNION ALL ')}
        ON CONFLICT DO NOTHING;
      INSERT INTO accessions (accession, list)
        SELECT before ->> 'external_id', resource FROM audit_entries
         WHERE action = 'remove' AND resource IN (${lists.map((list) => `'${list}'`).join(', ')})
           AND before ->> 'external_id' IS NOT NULL
        ON CONFLICT DO NOTHING;

      -- A restored backup may contain an accession twice, if the catalog had it twice.
      CREATE FUNCTION give_accession() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE holder text;
      BEGIN
        INSERT INTO accessions (accession, list) VALUES (NEW.external_id, TG_TABLE_NAME) ON CONFLICT DO NOTHING;
        IF FOUND OR current_setting('catalog.restores', true) = 'true' THEN RETURN NULL; END IF;
        SELECT list INTO holder FROM accessions WHERE accession = NEW.external_id;
        IF holder <> TG_TABLE_NAME THEN
          RAISE unique_violation USING MESSAGE = format('the accession %s was given to one of the %s', NEW.external_id, holder);
        END IF;
        RETURN NULL;
      END $$;`);
    for (const list of lists) {
      await runner.query(`
        CREATE TRIGGER ${list}_give_accession AFTER INSERT ON ${list}
          FOR EACH ROW WHEN (NEW.external_id IS NOT NULL) EXECUTE FUNCTION give_accession();
        CREATE TRIGGER ${list}_give_later_accession AFTER UPDATE OF external_id ON ${list}
          FOR EACH ROW WHEN (NEW.external_id IS NOT NULL AND NEW.external_id IS DISTINCT FROM OLD.external_id)
          EXECUTE FUNCTION give_accession()`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const list of lists) {
      await runner.query(`
        DROP TRIGGER ${list}_give_accession ON ${list};
        DROP TRIGGER ${list}_give_later_accession ON ${list}`);
    }
    await runner.query('DROP FUNCTION give_accession; DROP TABLE accessions; DROP TABLE service_settings');
  }
}
