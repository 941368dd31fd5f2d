import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** The database does not have the schema this version of the service was made for; the message says what to run. */
export class UnknownSchemaError extends Error {
  override readonly name = UnknownSchemaError.name;
}

/** How the migrations of the database differ from those of this version. */
export interface SchemaDifference {
  /** Known to this version, and not applied. */
  readonly missing: readonly string[];
  /** Applied, and not known to this version. */
  readonly newer: readonly string[];
}

/** What an operator does about missing migrations. */
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

/** Refuses to start the service on a schema it does not know. */
@Injectable()
export class SchemaCheck implements OnModuleInit {
  constructor(private readonly dataSource: DataSource) {}

  /** @throws UnknownSchemaError when the schema is older or newer than this version */
  async onModuleInit(): Promise<void> {
    const { missing, newer } = await compareSchema(this.dataSource);
    if (newer.length > 0) {
      throw new UnknownSchemaError(
        `The database was migrated by a newer version (${newer.join(', ')}): start that version, or restore a backup.`,
      );
    }
    if (missing.length > 0) {
      throw new UnknownSchemaError(`The database misses ${missing.join(', ')}: ${migrateAdvice} and start again.`);
    }
  }
}
