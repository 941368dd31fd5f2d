import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes by which the lists of the administration stay fast over a hundred thousand rows. */
export class AdministrationLists1790000300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX users_name_idx ON users (lower(last_name), lower(first_name), id);
      CREATE INDEX users_search_idx ON users USING gin (
        search_form(first_name || ' ' || last_name || ' ' || coalesce(email, '') || ' ' || coalesce(subject, ''))
        gin_trgm_ops);
      CREATE INDEX audit_entries_actor_id_idx ON audit_entries (actor, id);
      CREATE INDEX audit_entries_at_idx ON audit_entries (at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX audit_entries_at_idx, audit_entries_actor_id_idx, users_search_idx, users_name_idx');
  }
}
