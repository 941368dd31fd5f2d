import type { Pool } from 'pg';
import { runPrepared } from '../../platform/database/prepared.js';
import { sql, type Sql } from '../../platform/database/sql.js';
import type { ReadableList } from './list-names.js';
import type { View } from './view.entity.js';

/** A list as one view reads it. */
export interface ViewedList {
  readonly list: ReadableList;
  readonly view: View;
}

type Versions = ReadonlyMap<string, string>;

/** The version of a list for a view, as an expression; null if the view never read a record of the list. */
export function versionOf({ list, view }: ViewedList): Sql {
  return sql`(SELECT version FROM view_versions WHERE view = ${view} AND list = ${list})`;
}

/**
 * Reads the versions of lists. Callers who ask at the same time are answered by one statement, which begins after all of
 * them have asked: no caller gets a version that was over before the caller came.
 */
export class ListVersions {
  private underway: Promise<Versions> | undefined;
  private upcoming: Promise<Versions> | undefined;
  private wanted = new Map<string, ViewedList>();

  constructor(private readonly pool: Pool) {}

  /** The version of a list for a view as it is now. */
  async of(wanted: ViewedList): Promise<string> {
    const key = keyOf(wanted);
    this.wanted.set(key, wanted);
    this.upcoming ??= this.readNext();
    return (await this.upcoming).get(key) ?? '';
  }

  private async readNext(): Promise<Versions> {
    await this.underway?.catch(() => undefined);
    const wanted = [...this.wanted.values()];
    this.wanted = new Map();
    this.upcoming = undefined;
    this.underway = this.read(wanted);
    return this.underway;
  }

  private async read(wanted: readonly ViewedList[]): Promise<Versions> {
    const views = wanted.map(({ view }) => view);
    const lists = wanted.map(({ list }) => list);
    const rows = await runPrepared<ViewedList & { version: string }>(
      this.pool,
      sql`SELECT view, list, version FROM view_versions
          JOIN unnest(${views}::varchar[], ${lists}::varchar[]) AS wanted (view, list) USING (view, list)`,
    );
    return new Map(rows.map(({ version, ...row }) => [keyOf(row), version]));
  }
}

function keyOf({ list, view }: ViewedList): string {
  return `${view} ${list}`;
}
