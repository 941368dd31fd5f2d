import { Injectable } from '@nestjs/common';
import { ReadinessProbe } from '@rdc/http';
import { DataSource } from 'typeorm';
import { compareSchema, migrateAdvice } from './schema-check.js';

/**
 * Ready while the database has every migration of this version: one that was restored from an older backup has not. One
 * that is newer does not count: while a release is rolled out, the processes of the former one still answer.
 */
@Injectable()
export class MigrationsProbe extends ReadinessProbe {
  readonly dependency = 'migrations';

  constructor(private readonly dataSource: DataSource) {
    super();
  }

  async check(): Promise<void> {
    const { missing } = await compareSchema(this.dataSource);
    if (missing.length > 0) throw new Error(`the database misses ${missing.join(', ')}: ${migrateAdvice}`);
  }
}
