import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { poolOf, runPrepared } from '../../platform/database/prepared.js';
import { sql } from '../../platform/database/sql.js';

/** Reads when the public catalog last changed. */
@Injectable()
export class CatalogChanges {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns the instant of the last change, or undefined if nothing was ever public. */
  async last(): Promise<Date | undefined> {
    const statement = sql`SELECT max(changed_at) AS last FROM view_records
      WHERE view = 'anonymous' AND list = 'datasets'`;
    const [row] = await runPrepared<{ last: Date | null }>(poolOf(this.dataSource), statement);
    return row?.last ?? undefined;
  }
}
