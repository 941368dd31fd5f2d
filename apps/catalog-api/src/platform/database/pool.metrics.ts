import { Injectable } from '@nestjs/common';
import { addReading } from '@rdc/http';
import type { Pool } from 'pg';
import { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { DatabaseSettings } from './database.settings.js';

/** Metrics of the pool of connections to Postgres. */
@Injectable()
export class PoolMetrics {
  constructor(dataSource: DataSource, { DATABASE_POOL_SIZE }: DatabaseSettings, registry: Registry) {
    const pool = (dataSource.driver as unknown as { readonly master: Pool }).master;
    addReading(registry, {
      name: 'catalog_database_connections',
      help: 'Connections of the pool: the maximum, the open ones, and the idle ones among the open.',
      label: 'state',
      read: () => Promise.resolve({ limit: DATABASE_POOL_SIZE, open: pool.totalCount, idle: pool.idleCount }),
    });
    addReading(registry, {
      name: 'catalog_database_waiting',
      help: 'Requests that wait for a connection of the pool.',
      read: () => Promise.resolve(pool.waitingCount),
    });
  }
}
