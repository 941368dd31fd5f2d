import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseSettings } from './database.settings.js';
import { dataSourceOptions, type EntityClasses } from './data-source.js';
import { PoolMetrics } from './pool.metrics.js';
import { SchemaCheck } from './schema-check.js';

/** Provides TypeORM's `DataSource`, which holds the connections to Postgres. */
@Module({})
export class DatabaseModule {
  static forRoot(entities: EntityClasses): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [DatabaseSettings],
          useFactory: (settings: DatabaseSettings) => ({ ...dataSourceOptions(settings, entities), retryAttempts: 0 }),
        }),
      ],
      providers: [SchemaCheck, PoolMetrics],
    };
  }
}
