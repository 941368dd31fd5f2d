import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Indexes by which an endpoint's lists begin at once, however much is exposed to it; and a version of the list of
 * people, moved by whatever changes what stands there.
 */
export class ListsThatBeginAtOnce1790000700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX exposures_dataset_id_endpoint_id_idx ON exposures (dataset_id, endpoint_id);
      CREATE INDEX exposures_endpoint_id_dataset_id_idx ON exposures (endpoint_id, dataset_id);
      DROP INDEX exposures_dataset_id_idx, exposures_endpoint_id_idx;

      INSERT INTO list_versions (list, basis) SELECT 'users', basis FROM list_versions WHERE list = 'projects';
      CREATE FUNCTION move_version_of_users() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE list_versions SET version = version + 1 WHERE list = 'users';
        RETURN NULL;
      END $$;
      CREATE TRIGGER users_move_version
        AFTER INSERT OR DELETE OR UPDATE OF first_name, last_name, email, active, technical ON users
        FOR EACH STATEMENT EXECUTE FUNCTION move_version_of_users()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER users_move_version ON users;
      DROP FUNCTION move_version_of_users;
      DELETE FROM list_versions WHERE list = 'users';

      CREATE INDEX exposures_dataset_id_idx ON exposures (dataset_id);
      CREATE INDEX exposures_endpoint_id_idx ON exposures (endpoint_id);
      DROP INDEX exposures_dataset_id_endpoint_id_idx, exposures_endpoint_id_dataset_id_idx`);
  }
}
