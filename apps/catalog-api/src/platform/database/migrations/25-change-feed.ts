import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The identity of the change feed, and the time before which withdrawals may have been removed. */
export class ChangeFeed1790003520000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE document_state
        ADD COLUMN feed_id uuid NOT NULL DEFAULT gen_random_uuid(),
        ADD COLUMN swept_until timestamptz NOT NULL DEFAULT '-infinity';
      ALTER TABLE document_state ALTER COLUMN feed_id DROP DEFAULT`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE document_state DROP COLUMN feed_id, DROP COLUMN swept_until');
  }
}
