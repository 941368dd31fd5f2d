import { Injectable } from '@nestjs/common';
import { RateLimitedError, UnknownRecordError } from '@rdc/errors';
import { pipeline, Readable } from 'node:stream';
import type { Pool, PoolClient } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { DataSource, type EntityManager } from 'typeorm';
import { maxId } from '../../platform/database/ids.js';
import { poolOf, runPrepared } from '../../platform/database/prepared.js';
import { fixedSql, sql, type Sql } from '../../platform/database/sql.js';
import { DocumentsSettings } from './documents.settings.js';
import { itemOf, rowsOf, orderOf, type Cursor, type ListRequest, type RecordRequest } from './document-query.js';
import { digestOf, isTagged, tagOf } from './entity-tag.js';
import { ListStream } from './list-stream.js';
import { ListVersions, versionOf } from './list-versions.js';
import { Semaphore, acquireAll, type AcquireTimeout } from './semaphore.js';
import type { ReadConditions } from './read-headers.decorator.js';
import { StoredDocuments } from './stored-documents.js';
import { privateJson, type StoredDocument, type StreamedList } from './stored-response.js';

type ListConditions = Pick<ReadConditions, 'ifNoneMatch' | 'head' | 'origin'>;
type RecordConditions = Pick<ReadConditions, 'ifNoneMatch' | 'origin'>;

/** Formats each row of COPY as one plain line. The characters that would require quotes cannot occur in JSON text. */
const asLines = fixedSql(`WITH (FORMAT csv, DELIMITER E'\\x02', QUOTE E'\\x01')`);

const acquireTimeout: AcquireTimeout = {
  ms: 3_000,
  timeoutError: () => new RateLimitedError('whole lists being read at this moment', 30),
};

/**
 * Reads stored documents: a whole list as the stream of one statement, a page or a record as text.
 *
 * The entity tag of a list is a digest of the list's version for the caller's view and of the statement. The statement
 * contains everything else that determines the response: visibility, parameters and form. So two callers share a tag
 * only if they share the response, and a change outside the view does not change the tag.
 */
@Injectable()
export class DocumentReader {
  private readonly pool: Pool;
  private readonly versions: ListVersions;
  private readonly serverUrl: string | undefined;
  /** Allows whole lists to hold half of the connections. */
  private readonly wholeLists: Semaphore;
  /** Allows public whole lists to hold a quarter of the connections. */
  private readonly publicLists: Semaphore;

  constructor(
    dataSource: DataSource,
    private readonly documents: StoredDocuments,
    settings: DocumentsSettings,
  ) {
    this.pool = poolOf(dataSource);
    this.versions = new ListVersions(this.pool);
    this.serverUrl = settings.SERVER_URL;
    const { max } = this.pool.options;
    this.wholeLists = new Semaphore(Math.floor(max / 2), acquireTimeout);
    this.publicLists = new Semaphore(Math.ceil(max / 4), acquireTimeout);
  }

  /** Returns a list, or a page of the list if the request has a limit. */
  async list(request: ListRequest, { ifNoneMatch, head, origin }: ListConditions): Promise<StreamedList> {
    const source = this.sourceOf(origin);
    const statement = listStatement(request, source);
    const tagOf = this.tagger(request, statement);
    const isWhole = request.page.limit === undefined;
    const headers = request.headers ?? privateJson;
    if (ifNoneMatch.length > 0 || (head && isWhole)) {
      const etag = tagOf(await this.versionOf(request));
      if (isTagged(etag, ifNoneMatch)) return { etag, headers, body: undefined };
      if (head && isWhole) return { etag, headers, body: Readable.from([]) };
    }
    const { version, ...rest } = isWhole ? await this.stream(request, statement) : await this.page(request, source);
    return { etag: tagOf(version), headers, ...rest };
  }

  /** @throws UnknownRecordError if the caller sees no such record */
  async record(request: RecordRequest, conditions: RecordConditions): Promise<StoredDocument> {
    const document = await this.findRecord(request, conditions);
    if (!document) throw new UnknownRecordError(request.kind, request.id);
    return document;
  }

  /** Returns a record, or undefined if the caller sees no such record. */
  async findRecord(
    request: RecordRequest,
    { ifNoneMatch, origin }: RecordConditions,
  ): Promise<StoredDocument | undefined> {
    const statement = recordStatement(request, this.sourceOf(origin));
    if (!statement) return undefined;
    const [row] = await runPrepared<{ item: string }>(this.pool, statement);
    if (!row) return undefined;
    const etag = tagOf(row.item);
    const body = isTagged(etag, ifNoneMatch) ? undefined : row.item;
    return { etag, headers: request.headers ?? privateJson, body };
  }

  /** Returns whether the caller sees a record, as the transaction reads the record. */
  async isVisible(manager: EntityManager, request: RecordRequest): Promise<boolean> {
    const isWanted = idCondition(request);
    if (!isWanted) return false;
    const { text, values } = sql`SELECT ${rowsOf({ ...request, where: [isWanted, ...request.where] })}`.toQuery();
    return (await manager.query<unknown[]>(text, values)).length > 0;
  }

  /** Returns whether the tag of a record is among `tags`, as the transaction reads the record. */
  async isTagged(
    manager: EntityManager,
    request: RecordRequest,
    { tags, origin }: { tags: readonly string[]; origin: string },
  ): Promise<boolean> {
    const { text, values } = (recordStatement(request, this.sourceOf(origin)) ?? sql`SELECT WHERE false`).toQuery();
    const [row] = await manager.query<{ item: string }[]>(text, values);
    return row !== undefined && isTagged(tagOf(row.item), tags);
  }

  /** Returns the `source` of records that were not imported. */
  private sourceOf(origin: string): string {
    return this.serverUrl ?? origin;
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

  private async page(request: ListRequest, source: string): Promise<VersionedBody> {
    const limit = request.page.limit ?? 1;
    const { columns, key } = orderOf(request.list);
    const { text, values } =
      sql`SELECT kept.version, page.* FROM (SELECT ${versionFor(request)} AS version) AS kept LEFT JOIN (
        SELECT ${itemOf(request, source, request.page)} AS item, ${key} AS key, document.id
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
    return { version: rows[0]?.version ?? '', body: `${open}${body}${closePage(next)}`, next };
  }

  /** Reads version and rows in one snapshot. The connection is released with the end of the stream. */
  private async stream(request: ListRequest, statement: Sql): Promise<VersionedBody> {
    const { envelope, isPublic = false } = request;
    const { client, release } = await this.connect(isPublic);
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
      return { version, body };
    } catch (error) {
      release(true);
      throw error;
    }
  }

  /** Acquires a permit and a connection for a whole list. `release` returns both; a broken connection is closed. */
  private async connect(isPublic: boolean): Promise<{ client: PoolClient; release: (isBroken: boolean) => void }> {
    const releasePermits = await acquireAll(isPublic ? [this.publicLists, this.wholeLists] : [this.wholeLists]);
    try {
      const client = await this.pool.connect();
      client.on('error', ignoreError);
      const release = (broken: boolean): void => {
        releasePermits();
        if (!broken) client.off('error', ignoreError);
        client.release(broken);
      };
      return { client, release };
    } catch (error) {
      releasePermits();
      throw error;
    }
  }
}

/** The version of a list, and what is sent of the list. */
interface VersionedBody {
  readonly version: string;
  readonly body: Readable | string;
  readonly next?: Cursor | undefined;
}

/** Ignores errors of a connection. Without a listener, the process would end. */
function ignoreError(): void {
  // The query reports the error.
}

/**
 * Returns the statement of a whole list. The limit is a subquery, whose value the planner does not know. The planner
 * therefore prefers a plan that returns the first rows immediately, in the order of an index, to a plan that sorts all
 * texts. The subquery returns null, which means no limit.
 */
function listStatement(request: ListRequest, source: string): Sql {
  const { columns } = orderOf(request.list);
  const { separator = ',' } = request.envelope;
  return sql`SELECT ${separator}::text || ${itemOf(request, source, request.page)} ${rowsOf(request, request.page)}
    ORDER BY ${columns}, document.id LIMIT (SELECT NULL::bigint)`;
}

function recordStatement(request: RecordRequest, source: string): Sql | undefined {
  const isWanted = idCondition(request);
  const where = isWanted && [isWanted, ...request.where];
  return where && sql`SELECT ${itemOf(request, source)} AS item ${rowsOf({ ...request, where })}`;
}

/** Returns the expression of the version that, with the statement, determines the tag of a list. */
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
