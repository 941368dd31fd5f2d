import { readFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = (direction: 'up' | 'down'): string =>
  readFileSync(new URL(`3-sessions.${direction}.sql`, import.meta.url), 'utf8');

/** Sessions of people, and the counts that slow down whoever guesses; the SQL stands beside it. */
export class Sessions1790000200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(statements('up'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(statements('down'));
  }
}
