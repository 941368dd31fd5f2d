import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index by which the trail finds a rare action among a million entries. */
export class TrailByAction1790001200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX audit_entries_action_id_idx ON audit_entries (action, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX audit_entries_action_id_idx');
  }
}
