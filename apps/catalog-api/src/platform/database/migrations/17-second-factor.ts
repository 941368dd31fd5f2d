import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The second factor of local accounts: a sealed secret for each account, and the hashes of its recovery codes. */
export class SecondFactor1790001700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE second_factors (
        user_id integer PRIMARY KEY REFERENCES users ON DELETE CASCADE,
        sealed_secret varchar(255) NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        confirmed_at timestamptz(3),
        last_step bigint NOT NULL DEFAULT 0
      );
      CREATE TABLE recovery_codes (
        user_id integer NOT NULL REFERENCES second_factors ON DELETE CASCADE,
        code_hash varchar(64) NOT NULL,
        PRIMARY KEY (user_id, code_hash)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE recovery_codes; DROP TABLE second_factors');
  }
}
