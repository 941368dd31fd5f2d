import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Telephone numbers, DOIs and acronyms as long as those of a migrated DAISY. */
export class LongTexts1790002400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE contacts ALTER COLUMN phone TYPE text;
      ALTER TABLE publications ALTER COLUMN doi TYPE text;
      ALTER TABLE partners ALTER COLUMN acronym TYPE varchar(500)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE contacts ALTER COLUMN phone TYPE varchar(100) USING left(phone, 100);
      ALTER TABLE publications ALTER COLUMN doi TYPE varchar(500) USING left(doi, 500);
      ALTER TABLE partners ALTER COLUMN acronym TYPE varchar(200) USING left(acronym, 200)`);
  }
}
