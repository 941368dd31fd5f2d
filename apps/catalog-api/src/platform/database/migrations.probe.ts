import { Injectable } from '@nestjs/common';
import { ReadinessProbe } from '@rdc/http';
import { DataSource } from 'typeorm';
import { compareSchema, migrateAdvice } from './schema-check.js';

/**
 * Reports ready while the database has every migration of this version. A database that was restored from an older
 * backup lacks some. Additional migrations are ignored, because processes of the previous release keep answering during
 * the rollout of a new one.
 */
@Injectable()
export class MigrationsProbe extends ReadinessProbe {
  readonly dependency = 'migrations';

  constructor(private readonly dataSource: DataSource) {
    super();
  }

  async check(): Promise<void> {
    const { missing } = await compareSchema(this.dataSource);
    if (missing.length > 0)
      throw new Error(`the database lacks the migrations ${missing.join(', ')}: ${migrateAdvice}`);
  }
}
