import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps what a term is found by beside the term, so that a search compares and computes nothing anew. */
export class TermEntries1790000900000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX terms_search_idx;
      ALTER TABLE terms ADD COLUMN entries text NOT NULL DEFAULT '';
      CREATE FUNCTION keep_term_entries() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.entries := E'\\n' || term_search_text(NEW.label, NEW.synonyms, NEW.term_id) || E'\\n';
        RETURN NEW;
      END $$;
      CREATE TRIGGER terms_keep_entries BEFORE INSERT OR UPDATE ON terms
        FOR EACH ROW EXECUTE FUNCTION keep_term_entries();
      UPDATE terms SET entries = '';
      CREATE INDEX terms_search_idx ON terms USING gin (entries gin_trgm_ops) WHERE NOT obsolete`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER terms_keep_entries ON terms;
      DROP FUNCTION keep_term_entries;
      DROP INDEX terms_search_idx;
      ALTER TABLE terms DROP COLUMN entries;
      CREATE INDEX terms_search_idx ON terms USING gin (term_search_text(label, synonyms, term_id) gin_trgm_ops)
        WHERE NOT obsolete`);
  }
}
