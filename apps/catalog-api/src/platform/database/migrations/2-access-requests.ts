import { readFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = (direction: 'up' | 'down'): string =>
  readFileSync(new URL(`2-access-requests.${direction}.sql`, import.meta.url), 'utf8');

/** What the webhook and the synchronisation of accounts remember; the SQL stands beside it. */
export class AccessRequests1790000100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(statements('up'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(statements('down'));
  }
}
