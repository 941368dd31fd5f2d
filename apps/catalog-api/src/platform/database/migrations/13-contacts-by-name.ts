import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index by which a write finds the contacts that a document describes among a million. */
export class ContactsByName1790001300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX contacts_last_name_first_name_idx ON contacts (last_name, first_name)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX contacts_last_name_first_name_idx');
  }
}
