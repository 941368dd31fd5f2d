import type { Pool } from 'pg';
import { runPrepared } from '../../platform/database/prepared.js';
import { sql, type Sql } from '../../platform/database/sql.js';
import type { ReadableList } from './list-names.js';
import type { View } from './view.entity.js';

export interface ViewedList {
  readonly list: ReadableList;
  readonly view: View;
}

type Versions = ReadonlyMap<string, string>;

/** Returns the expression of a list's version in a view. The value is null if the view never contained a record. */
export function versionOf({ list, view }: ViewedList): Sql {
  return sql`(SELECT version FROM view_versions WHERE view = ${view} AND list = ${list})`;
}

/**
 * Reads the versions of lists. One statement serves all concurrent callers. The statement starts after each of these
 * calls, so that no caller gets a version that was outdated before the call.
 */
export class ListVersions {
  private underway: Promise<Versions> | undefined;
  private upcoming: Promise<Versions> | undefined;
  private requested = new Map<string, ViewedList>();

  constructor(private readonly pool: Pool) {}

  /** Returns the current version of a list in a view. */
  async of(list: ViewedList): Promise<string> {
    const key = keyOf(list);
    this.requested.set(key, list);
    this.upcoming ??= this.readNext();
    return (await this.upcoming).get(key) ?? '';
  }

  private async readNext(): Promise<Versions> {
    await this.underway?.catch(() => undefined);
    const requested = [...this.requested.values()];
    this.requested = new Map();
    this.upcoming = undefined;
    this.underway = this.read(requested);
    return this.underway;
  }

  private async read(requested: readonly ViewedList[]): Promise<Versions> {
    const views = requested.map(({ view }) => view);
    const lists = requested.map(({ list }) => list);
    const rows = await runPrepared<ViewedList & { version: string }>(
      this.pool,
      sql`SELECT view, list, version FROM view_versions
          JOIN unnest(${views}::varchar[], ${lists}::varchar[]) AS requested (view, list) USING (view, list)`,
    );
    return new Map(rows.map(({ version, ...row }) => [keyOf(row), version]));
  }
}

function keyOf({ list, view }: ViewedList): string {
  return `${view} ${list}`;
}
