import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** The database does not have the schema this version of the service was made for; the message says what to run. */
export class UnknownSchemaError extends Error {
  override readonly name = UnknownSchemaError.name;
}

/** Refuses to start the service on a schema it does not know. */
@Injectable()
export class SchemaCheck implements OnModuleInit {
  constructor(private readonly dataSource: DataSource) {}

  /** @throws UnknownSchemaError when the schema is older or newer than this version */
  async onModuleInit(): Promise<void> {
    const known = this.dataSource.migrations.map((migration) => migration.name ?? migration.constructor.name);
    const applied = await this.applied();
    const missing = known.filter((name) => !applied.includes(name));
    const newer = applied.filter((name) => !known.includes(name));
    if (newer.length > 0) {
      throw new UnknownSchemaError(
        `The database was migrated by a newer version (${newer.join(', ')}): start that version, or restore a backup.`,
      );
    }
    if (missing.length > 0) {
      throw new UnknownSchemaError(
        `The database misses ${missing.join(', ')}: run "node apps/catalog-api/dist/cli.js migrate" and start again.`,
      );
    }
  }

  private async applied(): Promise<string[]> {
    const [{ table }] = await this.dataSource.query<[{ table: string | null }]>(
      `SELECT to_regclass('migrations')::text AS "table"`,
    );
    if (table === null) return [];
    const rows = await this.dataSource.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id');
    return rows.map(({ name }) => name);
  }
}
