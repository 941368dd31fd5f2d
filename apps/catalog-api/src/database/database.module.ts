import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CatalogSettings } from '../settings.js';
import { dataSourceOptions } from './data-source.js';
import { PoolMetrics } from './pool.metrics.js';
import { SchemaCheck } from './schema-check.js';

/** Gives the application its connections to Postgres; inject TypeORM's `DataSource`. */
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [CatalogSettings],
      useFactory: (settings: CatalogSettings) => ({ ...dataSourceOptions(settings), retryAttempts: 0 }),
    }),
  ],
  providers: [SchemaCheck, PoolMetrics],
})
export class DatabaseModule {}
