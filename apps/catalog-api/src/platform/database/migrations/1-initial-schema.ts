import { readFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = (direction: 'up' | 'down'): string =>
  readFileSync(new URL(`1-initial-schema.${direction}.sql`, import.meta.url), 'utf8');

/** Every table the catalog begins with; the SQL stands beside it. */
export class InitialSchema1790000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(statements('up'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(statements('down'));
  }
}
