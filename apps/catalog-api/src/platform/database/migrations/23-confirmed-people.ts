import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The instant since which the identity provider has listed a person. People without it were made by hand or migrated. */
export class ConfirmedPeople1790002300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users ADD COLUMN confirmed_at timestamptz(3);
      UPDATE users SET confirmed_at = now()
       WHERE subject IS NOT NULL AND EXISTS (
         SELECT FROM audit_entries
          WHERE actor = 'idp-sync' AND resource = 'users' AND record_id = users.id::text AND action IN ('create', 'update'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users DROP COLUMN confirmed_at');
  }
}
