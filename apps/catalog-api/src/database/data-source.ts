import { DataSource, type DataSourceOptions } from 'typeorm';
import type { CatalogSettings } from '../settings.js';
import { entities } from './entities.js';
import { migrations } from './migrations/index.js';
import { PostgresNamingStrategy } from './naming.strategy.js';

/** How long to wait for a connection before Postgres counts as down. */
const connectTimeoutMs = 5000;

/** How the catalog speaks to its Postgres. The schema only ever changes through migrations. */
export function dataSourceOptions(settings: CatalogSettings): DataSourceOptions {
  return {
    type: 'postgres',
    url: settings.DATABASE_URL,
    applicationName: 'catalog-api',
    entities,
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

/** Runs some work with a connection pool of its own, and closes it whatever happens. */
export async function withDataSource<T>(
  settings: CatalogSettings,
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> {
  const dataSource = await new DataSource(dataSourceOptions(settings)).initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
