import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes by which a search finds accesses among a million: by their contact, and by a subject that is no user's. */
export class SearchOfAccesses1790001400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX contacts_search_idx ON contacts USING gin (search_form(first_name || ' ' || last_name) gin_trgm_ops);
      CREATE INDEX accesses_search_idx ON accesses USING gin (search_form(subject) gin_trgm_ops) WHERE user_id IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX accesses_search_idx, contacts_search_idx');
  }
}
