import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index by which the trail of a dataset finds its exposures among a million entries. */
export class TrailOfDatasets1790001100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX audit_entries_exposed_dataset_idx ON audit_entries ((after ->> 'dataset_id'))
        WHERE resource = 'exposures'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX audit_entries_exposed_dataset_idx');
  }
}
