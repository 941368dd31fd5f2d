import { DataSource, type DataSourceOptions } from 'typeorm';
import type { CatalogSettings } from '../settings/catalog.settings.js';
import { migrations } from './migrations/index.js';
import { PostgresNamingStrategy } from './naming.strategy.js';

/** How long to wait for a connection before Postgres counts as down. */
const connectTimeoutMs = 5000;

/** The entity classes of an application. */
export type EntityClasses = readonly (new () => object)[];

/** How the catalog speaks to its Postgres. The schema only ever changes through migrations. */
export function dataSourceOptions(settings: CatalogSettings, entities: EntityClasses): DataSourceOptions {
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

/** Runs some work with a connection pool of its own, and closes it whatever happens. */
export async function withDataSource<T>(
  settings: CatalogSettings,
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
