import { DataSource, type DataSourceOptions } from 'typeorm';
import type { DatabaseSettings } from './database.settings.js';
import { migrations } from './migrations/index.js';
import { PostgresNamingStrategy } from './naming.strategy.js';

/** The time to wait for a connection before Postgres counts as unreachable. */
const connectTimeoutMs = 5000;

/** The entity classes of an application. */
export type EntityClasses = readonly (new () => object)[];

/** Returns TypeORM's options for the catalog's database. Only migrations change the schema. */
export function dataSourceOptions(settings: DatabaseSettings, entities: EntityClasses): DataSourceOptions {
  return {
    type: 'postgres',
    url: settings.DATABASE_URL,
    applicationName: 'catalog-api',
    entities: [...entities],
    migrations,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    namingStrategy: new PostgresNamingStrategy(),
    synchronize: false,
    migrationsRun: false,
    installExtensions: false,
    connectTimeoutMS: connectTimeoutMs,
    poolSize: settings.DATABASE_POOL_SIZE,
    extra: { options: '-c TimeZone=UTC -c DateStyle=ISO -c jit=off' },
  };
}

/** Runs work with a separate pool of connections and closes the pool, even if the work fails. */
export async function withDataSource<T>(
  settings: DatabaseSettings,
  entities: EntityClasses,
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> {
  const dataSource = await new DataSource(dataSourceOptions(settings, entities)).initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
