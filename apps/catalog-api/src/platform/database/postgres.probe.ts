import { Injectable } from '@nestjs/common';
import { ReadinessProbe } from '@rdc/http';
import { DataSource } from 'typeorm';

/** Reports ready while Postgres answers. */
@Injectable()
export class PostgresProbe extends ReadinessProbe {
  readonly dependency = 'postgres';

  constructor(private readonly dataSource: DataSource) {
    super();
  }

  async check(): Promise<void> {
    await this.dataSource.query('SELECT 1');
  }
}
