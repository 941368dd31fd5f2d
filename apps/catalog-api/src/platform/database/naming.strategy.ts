import { DefaultNamingStrategy, type NamingStrategyInterface, type Table } from 'typeorm';

/**
 * Names columns in snake case and constraints as PostgreSQL does (`datasets_project_id_fkey`). Migrations can therefore
 * be written as plain SQL and still match the entities.
 */
export class PostgresNamingStrategy extends DefaultNamingStrategy implements NamingStrategyInterface {
  override columnName(property: string, custom: string | undefined, prefixes: string[]): string {
    return snakeCase([...prefixes, custom ?? property].join('_'));
  }

  override joinColumnName(relation: string, referenced: string): string {
    return snakeCase(`${relation}_${referenced}`);
  }

  override primaryKeyName(table: Table | string): string {
    return `${this.getTableName(table)}_pkey`;
  }

  override foreignKeyName(table: Table | string, columns: string[]): string {
    return this.constraint(table, columns, 'fkey');
  }

  override uniqueConstraintName(table: Table | string, columns: string[]): string {
    return this.constraint(table, columns, 'key');
  }

  override relationConstraintName(table: Table | string, columns: string[]): string {
    return this.constraint(table, columns, 'key');
  }

  override indexName(table: Table | string, columns: string[]): string {
    return this.constraint(table, columns, 'idx');
  }

  private constraint(table: Table | string, columns: string[], suffix: string): string {
    return [this.getTableName(table), ...columns.map(snakeCase), suffix].join('_');
  }
}

function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}
