import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index by which a write finds the partner that a document names by its acronym among a million. */
export class PartnersByAcronym1790001500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX partners_acronym_idx ON partners (acronym)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX partners_acronym_idx');
  }
}
