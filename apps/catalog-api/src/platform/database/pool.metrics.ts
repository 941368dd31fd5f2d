import { Injectable } from '@nestjs/common';
import { addReading } from '@rdc/http';
import type { Pool } from 'pg';
import { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { CatalogSettings } from '../settings/catalog.settings.js';

/** How busy the connections to Postgres are. */
@Injectable()
export class PoolMetrics {
  constructor(dataSource: DataSource, { DATABASE_POOL_SIZE }: CatalogSettings, registry: Registry) {
    const pool = (dataSource.driver as unknown as { readonly master: Pool }).master;
    addReading(registry, {
      name: 'catalog_database_connections',
      help: 'Connections of the pool: at most, open, and of those idle.',
      label: 'state',
      read: () => Promise.resolve({ limit: DATABASE_POOL_SIZE, open: pool.totalCount, idle: pool.idleCount }),
    });
    addReading(registry, {
      name: 'catalog_database_waiting',
      help: 'Who waits for a connection of the pool.',
      read: () => Promise.resolve(pool.waitingCount),
    });
  }
}
