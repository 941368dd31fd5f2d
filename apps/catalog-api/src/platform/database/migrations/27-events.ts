import { readFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = (direction: 'up' | 'down'): string =>
  readFileSync(new URL(`27-events.${direction}.sql`, import.meta.url), 'utf8');

/** The outbox of events, its subscriptions, and the triggers that add events about accesses and exposures. */
export class Events1790003600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(statements('up'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(statements('down'));
  }
}
