import type { Pool } from 'pg';
import { runPrepared } from '../database/prepared.js';
import { sql } from '../database/sql.js';
import type { ReadableList } from './document.entity.js';

type Versions = ReadonlyMap<string, string>;

/**
 * Tells the versions of the lists. Callers who ask at the same time are answered by one statement, which begins after
 * all of them have asked: nobody is told a version that was over before they came.
 */
export class ListVersions {
  private underway: Promise<Versions> | undefined;
  private upcoming: Promise<Versions> | undefined;

  constructor(private readonly pool: Pool) {}

  /** The version of a list as it is now. */
  async of(list: ReadableList): Promise<string> {
    this.upcoming ??= this.readNext();
    return (await this.upcoming).get(list) ?? '';
  }

  private async readNext(): Promise<Versions> {
    await this.underway?.catch(() => undefined);
    this.upcoming = undefined;
    this.underway = this.read();
    return this.underway;
  }

  private async read(): Promise<Versions> {
    const rows = await runPrepared<{ list: string; version: string }>(
      this.pool,
      sql`SELECT list, version FROM list_versions`,
    );
    return new Map(rows.map(({ list, version }) => [list, version]));
  }
}
