import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accesses that wait for the access-request system to confirm them, and those whose end is near. */
export class AccessConfirmation1790000400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE accesses
        ADD COLUMN confirmation_due boolean NOT NULL DEFAULT false,
        ADD COLUMN confirmed_at timestamptz(3);
      CREATE INDEX accesses_expires_at_idx ON accesses (expires_at) WHERE status <> 'terminated'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX accesses_expires_at_idx;
      ALTER TABLE accesses DROP COLUMN confirmation_due, DROP COLUMN confirmed_at`);
  }
}
