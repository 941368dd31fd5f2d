import { readFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = (direction: 'up' | 'down'): string =>
  readFileSync(new URL(`16-life-of-sessions.${direction}.sql`, import.meta.url), 'utf8');

/**
 * The origin and the last use of each session, one-time links for passwords, the trigger that ends sessions, and the
 * address of each entry of the audit trail. The SQL is in the two files beside this one.
 */
export class LifeOfSessions1790001600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(statements('up'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(statements('down'));
  }
}
