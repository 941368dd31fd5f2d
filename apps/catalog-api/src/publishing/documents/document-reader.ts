import { Injectable } from '@nestjs/common';
import { RateLimitedError } from '@rdc/errors';
import { pipeline, Readable } from 'node:stream';
import type { Pool, PoolClient } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { DataSource, type EntityManager } from 'typeorm';
import { maxId } from '../../platform/database/ids.js';
import { poolOf, runPrepared } from '../../platform/database/prepared.js';
import { fixedSql, sql, type Sql } from '../../platform/database/sql.js';
import { itemOf, rowsOf, orderOf, type Cursor, type ListRequest, type RecordRequest } from './document-query.js';
import { digestOf, isTagged, tagOf } from './entity-tag.js';
import { ListStream } from './list-stream.js';
import { ListVersions, versionOf } from './list-versions.js';
import { Semaphore, acquireAll, type AcquireTimeout } from './semaphore.js';
import { StoredDocuments } from './stored-documents.js';

/** How a caller asked: with which tags in `If-None-Match`, and for which `source`. */
export interface ReadOptions {
  readonly ifNoneMatch: readonly string[];
  /** The `source` of records of our own. */
  readonly source: string;
  /** Whether only the headers are needed (HEAD): of a whole list nothing is read, and the body is an empty stream. */
  readonly head: boolean;
}

/** What is answered: the tag, and the body unless the caller has it already. */
export interface ReadAnswer {
  readonly etag: string;
  /** Absent when the caller has it already. */
  readonly body?: string | Readable;
  readonly notModified: boolean;
  /** Where the next page begins, when there is one. */
  readonly next?: Cursor;
}

/** Makes COPY write each row as one plain line: what would have to be quoted cannot occur in JSON text. */
const asLines = fixedSql(`WITH (FORMAT csv, DELIMITER E'\\x02', QUOTE E'\\x01')`);

/** How long whoever asks for a whole list waits for a place, and when they may come again. */
const patience: AcquireTimeout = {
  ms: 3_000,
  timeoutError: () => new RateLimitedError('whole lists being read at this moment', 30),
};

/**
 * Reads stored documents: a list as a stream out of one statement, a page or a record as text.
 *
 * A tag is a digest of the version of the list for the caller's view and of the statement itself, in which everything
 * stands that the answer depends on: who may see what, the parameters, the form. So two callers share a tag only if they
 * share the answer, and a change that the view does not read moves no tag.
 */
@Injectable()
export class DocumentReader {
  private readonly pool: Pool;
  private readonly versions: ListVersions;
  /** Half of the connections, for whole lists. */
  private readonly places: Semaphore;
  /** A quarter, for those of them that anybody may ask for. */
  private readonly openPlaces: Semaphore;

  constructor(
    dataSource: DataSource,
    private readonly documents: StoredDocuments,
  ) {
    this.pool = poolOf(dataSource);
    this.versions = new ListVersions(this.pool);
    const { max } = this.pool.options;
    this.places = new Semaphore(Math.floor(max / 2), patience);
    this.openPlaces = new Semaphore(Math.ceil(max / 4), patience);
  }

  /** A list, whole unless a page of it was asked for. */
  async list(request: ListRequest, options: ReadOptions): Promise<ReadAnswer> {
    const statement = listStatement(request, options.source);
    const tagOf = this.tagger(request, statement);
    const isWhole = request.page.limit === undefined;
    if (options.ifNoneMatch.length > 0 || (options.head && isWhole)) {
      const etag = tagOf(await this.versionOf(request));
      if (isTagged(etag, options.ifNoneMatch)) return { etag, notModified: true };
      if (options.head && isWhole) return { etag, notModified: false, body: Readable.from([]) };
    }
    return isWhole ? this.stream(request, statement, tagOf) : this.page(request, options.source, tagOf);
  }

  /** One record; undefined when there is none that the caller may see. */
  async record(request: RecordRequest, { ifNoneMatch, source }: ReadOptions): Promise<ReadAnswer | undefined> {
    const statement = recordStatement(request, source);
    if (!statement) return undefined;
    const [row] = await runPrepared<{ item: string }>(this.pool, statement);
    const item = row?.item;
    if (item === undefined) return undefined;
    const etag = tagOf(item);
    return isTagged(etag, ifNoneMatch) ? { etag, notModified: true } : { etag, notModified: false, body: item };
  }

  /** Whether a record is among those that the caller may read, as a transaction finds it. */
  async isVisible(manager: EntityManager, request: RecordRequest): Promise<boolean> {
    const wanted = idCondition(request);
    if (!wanted) return false;
    const { text, values } = sql`SELECT ${rowsOf({ ...request, where: [wanted, ...request.where] })}`.toQuery();
    return (await manager.query<unknown[]>(text, values)).length > 0;
  }

  /** Whether one of some tags is that of a record as a transaction finds it; undefined when there is no such record. */
  async isTagged(
    manager: EntityManager,
    request: RecordRequest,
    { tags, source }: { tags: readonly string[]; source: string },
  ): Promise<boolean | undefined> {
    const { text, values } = (recordStatement(request, source) ?? sql`SELECT WHERE false`).toQuery();
    const [row] = await manager.query<{ item: string }[]>(text, values);
    return row && isTagged(tagOf(row.item), tags);
  }

  private async versionOf(request: ListRequest): Promise<string> {
    if (!request.filteredByOtherRecords) return this.versions.of(request);
    const { text, values } = sql`SELECT ${versionFor(request)} AS version`.toQuery();
    const { rows } = await this.pool.query<{ version: string | null }>(text, values);
    return rows[0]?.version ?? '';
  }

  private tagger({ page, envelope }: ListRequest, statement: Sql): (version: string) => string {
    const form = digestOf(JSON.stringify([this.documents.basis, page.limit, envelope.open, statement.toLiteral()]));
    return (version) => `W/"${digestOf(`${version} ${form}`)}"`;
  }

  private async page(request: ListRequest, source: string, tagOf: (version: string) => string): Promise<ReadAnswer> {
    const limit = request.page.limit ?? 1;
    const { columns, key } = orderOf(request.list);
    const { text, values } =
      sql`SELECT kept.version, page.* FROM (SELECT ${versionFor(request)} AS version) AS kept LEFT JOIN (
        SELECT ${itemOf(request, source)} AS item, ${key} AS key, document.id
        ${rowsOf(request, request.page)} ORDER BY ${columns}, document.id LIMIT ${limit + 1}::integer
      ) AS page ON true`.toQuery();
    const { rows } = await this.pool.query<{ version: string | null; item: string | null; key: string; id: number }>(
      text,
      values,
    );
    const items = rows.slice(0, limit);
    const last = rows.length > limit ? items.at(-1) : undefined;
    const next: Cursor | undefined = last && [last.key, last.id];
    const { open, close, separator = ',', closePage = () => close } = request.envelope;
    const body = items.flatMap(({ item }) => item ?? []).join(`${separator}\n`);
    return {
      etag: tagOf(rows[0]?.version ?? ''),
      notModified: false,
      body: `${open}${body}${closePage(next)}`,
      ...(next && { next }),
    };
  }

  /** A connection for a whole list, once there is a place for it; `release` gives both back. */
  private async connect(open: boolean): Promise<{ client: PoolClient; release: (broken: boolean) => void }> {
    const leave = await acquireAll(open ? [this.openPlaces, this.places] : [this.places]);
    try {
      const client = await this.pool.connect();
      client.on('error', alsoToldByTheQuery);
      const release = (broken: boolean): void => {
        leave();
        if (!broken) client.off('error', alsoToldByTheQuery);
        client.release(broken);
      };
      return { client, release };
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Version and rows come from one snapshot. The connection goes back when the stream ends, and ends when it breaks. */
  private async stream(request: ListRequest, statement: Sql, tagOf: (version: string) => string): Promise<ReadAnswer> {
    const { envelope, open = false } = request;
    const { client, release } = await this.connect(open);
    try {
      const version = await beginSnapshot(client, versionFor(request));
      const rows = client.query(copyTo(sql`COPY (${statement}) TO STDOUT ${asLines}`.toLiteral()));
      const body = pipeline(rows, new ListStream(envelope), (error) => {
        if (error) release(true);
        else
          void client.query('COMMIT').then(
            () => {
              release(false);
            },
            () => {
              release(true);
            },
          );
      });
      return { etag: tagOf(version), notModified: false, body };
    } catch (error) {
      release(true);
      throw error;
    }
  }
}

/** A lost connection fails the query under way, which is answered there; the event must only not go unheard. */
function alsoToldByTheQuery(): void {
  // Nothing is left to do.
}

/**
 * The whole list. The limit limits nothing: to the planner it is unknown, so that it prefers the plan that has the first
 * rows at once, in the order of an index, to one that sorts all texts before it sends any.
 */
function listStatement(request: ListRequest, source: string): Sql {
  const { columns } = orderOf(request.list);
  const { separator = ',' } = request.envelope;
  return sql`SELECT ${separator}::text || ${itemOf(request, source)} ${rowsOf(request, request.page)}
    ORDER BY ${columns}, document.id LIMIT (SELECT NULL::bigint)`;
}

function recordStatement(request: RecordRequest, source: string): Sql | undefined {
  const wanted = idCondition(request);
  const where = wanted && [wanted, ...request.where];
  return where && sql`SELECT ${itemOf(request, source)} AS item ${rowsOf({ ...request, where })}`;
}

/** What the tag of a list depends on beside the statement, as an expression. */
function versionFor(request: ListRequest): Sql {
  if (!request.filteredByOtherRecords) return versionOf(request);
  return sql`(SELECT string_agg(document.id || ' ' || seen.changed_at, ',' ORDER BY document.id)
    ${rowsOf(
      {
        ...request,
        joins: sql`LEFT JOIN view_records AS seen
      ON seen.list = ${request.list} AND seen.view = ${request.view} AND seen.record_id = document.id`,
      },
      request.page,
    )})`;
}

async function beginSnapshot(client: PoolClient, version: Sql): Promise<string> {
  const statement = sql`SELECT ${version} AS version`.toLiteral();
  const results = (await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${statement}`)) as unknown;
  const [, { rows }] = results as [unknown, { rows: { version: string | null }[] }];
  return rows[0]?.version ?? '';
}

function idCondition({ list, id }: RecordRequest): Sql | undefined {
  if (/^\d+$/.test(id)) return Number(id) <= maxId ? sql`document.id = ${id}::integer` : undefined;
  if (list === 'contracts' || id.includes('\0')) return undefined;
  return sql`document.id = (SELECT id FROM ${fixedSql(list)} WHERE external_id = ${id})`;
}
