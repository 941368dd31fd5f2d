import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** The error of a database whose schema does not fit this version. The message contains the command that fixes it. */
export class UnknownSchemaError extends Error {
  override readonly name = UnknownSchemaError.name;
}

/** The difference between the migrations of a database and those of this version. */
export interface SchemaDifference {
  /** Migrations of this version that are not applied. */
  readonly missing: readonly string[];
  /** Applied migrations that this version does not contain. */
  readonly newer: readonly string[];
}

/** The advice for an operator whose database lacks migrations. */
export const migrateAdvice = 'run "node apps/catalog-api/dist/cli.js migrate"';

/** Compares the migrations of a database with those of this version. */
export async function compareSchema(dataSource: DataSource): Promise<SchemaDifference> {
  const known = dataSource.migrations.map((migration) => migration.name ?? migration.constructor.name);
  const applied = await appliedTo(dataSource);
  return {
    missing: known.filter((name) => !applied.includes(name)),
    newer: applied.filter((name) => !known.includes(name)),
  };
}

async function appliedTo(dataSource: DataSource): Promise<string[]> {
  const [{ table }] = await dataSource.query<[{ table: string | null }]>(
    `SELECT to_regclass('migrations')::text AS "table"`,
  );
  if (table === null) return [];
  const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id');
  return rows.map(({ name }) => name);
}

/** @throws UnknownSchemaError if the schema of a database is older or newer than this version */
export async function requireSchema(dataSource: DataSource): Promise<void> {
  const { missing, newer } = await compareSchema(dataSource);
  if (newer.length > 0) {
    throw new UnknownSchemaError(
      `The database has migrations of a newer version (${newer.join(', ')}): start the newer version or restore a backup.`,
    );
  }
  if (missing.length > 0) {
    throw new UnknownSchemaError(
      `The database lacks the migrations ${missing.join(', ')}: ${migrateAdvice}, then try again.`,
    );
  }
}

/** Stops the start of the service if the schema does not fit this version. */
@Injectable()
export class SchemaCheck implements OnModuleInit {
  constructor(private readonly dataSource: DataSource) {}

  /** @throws UnknownSchemaError if the schema is older or newer than this version */
  async onModuleInit(): Promise<void> {
    await requireSchema(this.dataSource);
  }
}
