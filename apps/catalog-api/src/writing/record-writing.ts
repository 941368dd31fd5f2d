import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import { InvalidInputError, PreconditionFailedError, RecordInUseError, UnknownRecordError } from '@rdc/errors';
import type { EntityManager } from 'typeorm';
import { actorOf, AuditTrail } from '../audit/audit-trail.js';
import { CatalogWriter, type CatalogTransaction } from '../documents/catalog-writer.js';
import type { RecordRequest } from '../documents/document-query.js';
import { DocumentReader } from '../documents/document-reader.js';
import { StoredDocuments } from '../documents/stored-documents.js';
import { DocumentValidator } from '../schemas/document-validator.js';
import { maxId } from '../schemas/json-schema.js';
import type { RecordBody, RecordKind } from './record-kind.js';
import { bodyOf, RecordWriter, type WriteOutcome } from './record-writer.js';
import { WriteProblems } from './write-problems.js';

/** What the headers and the query of a write say. */
export interface WriteConditions {
  /** Tags of `If-Match`: the write must be about one of these versions. */
  readonly ifMatch: readonly string[];
  /** Whether `If-None-Match: *` says that the record must not exist. */
  readonly onlyNew: boolean;
  /** The `source` of records of our own, which tags depend on. */
  readonly source: string;
  /** Make what the document names and does not exist. */
  readonly createMissing: boolean;
}

/** A kind of record that callers write, and how one of them is read. */
export interface WriteTarget<Body extends RecordBody> {
  readonly kind: RecordKind<Body>;
  readonly read: (caller: Principal, id: string) => RecordRequest;
}

/** What was written, to be answered with. */
export interface WriteAnswer {
  readonly created: boolean;
  /** Its path segment: the accession where there is one. */
  readonly id: string;
  readonly record: RecordRequest;
}

/** One write at a time: names, accessions and what refers to what are then never somebody else's to change. */
const writingLock = 5_216_403;

/** Waits until no other document is being written; the lock ends with the transaction. */
export async function takeWritingLock(manager: EntityManager): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock($1)', [writingLock]);
}

const validators = new WeakMap<Pick<RecordKind, 'schema'>, DocumentValidator>();

/** The check of documents of a kind. */
export function validatorOf(kind: Pick<RecordKind, 'schema'>): DocumentValidator {
  const known = validators.get(kind) ?? new DocumentValidator(kind.schema);
  validators.set(kind, known);
  return known;
}

/** Writing one record by its document (catalog interface, section 6). Who may is said at the controllers. */
@Injectable()
export class RecordWriting {
  constructor(
    private readonly catalog: CatalogWriter,
    private readonly writer: RecordWriter,
    private readonly reader: DocumentReader,
    private readonly documents: StoredDocuments,
    private readonly audit: AuditTrail,
  ) {}

  /** Makes a record. @throws InvalidInputError */
  create<Body extends RecordBody>(
    caller: Principal,
    target: WriteTarget<Body>,
    document: unknown,
    conditions: WriteConditions,
  ): Promise<WriteAnswer> {
    return this.transaction(async (transaction) => {
      const body = checked(target.kind, document);
      return this.write(transaction, caller, target, { id: null, body }, conditions);
    });
  }

  /** Replaces a record, or makes one under an accession. @throws UnknownRecordError for an id that nobody has */
  replace<Body extends RecordBody>(
    caller: Principal,
    target: WriteTarget<Body>,
    pathId: string,
    document: unknown,
    conditions: WriteConditions,
  ): Promise<WriteAnswer> {
    return this.transaction(async (transaction) => {
      const body = checked(target.kind, document);
      const id = await findId(transaction.manager, target.kind, pathId);
      await this.refuseUnlessAsExpected(transaction.manager, target.read(caller, pathId), id, conditions);
      if (id !== null) return this.write(transaction, caller, target, { id, body }, conditions);
      return this.write(
        transaction,
        caller,
        target,
        { id, body: underAccession(target.kind, body, pathId) },
        conditions,
      );
    });
  }

  /** Replaces those members of a record that the document has. @throws UnknownRecordError */
  merge<Body extends RecordBody>(
    caller: Principal,
    target: WriteTarget<Body>,
    pathId: string,
    document: unknown,
    conditions: WriteConditions,
  ): Promise<WriteAnswer> {
    return this.transaction(async (transaction) => {
      const { kind } = target;
      const id = await needId(transaction.manager, kind, pathId);
      await this.refuseUnlessAsExpected(transaction.manager, target.read(caller, pathId), id, conditions);
      const image = (await this.documents.imagesOf(transaction.manager, kind.list, [id])).get(id);
      const body = checked(kind, { ...bodyOf(kind, image), ...asObject(document) });
      return this.write(transaction, caller, target, { id, body }, conditions);
    });
  }

  /** Removes a record. @throws UnknownRecordError, RecordInUseError */
  async remove<Body extends RecordBody>(
    caller: Principal,
    { kind, read }: WriteTarget<Body>,
    pathId: string,
    conditions: WriteConditions,
  ): Promise<void> {
    await this.transaction(async ({ manager, touch }) => {
      const id = await needId(manager, kind, pathId);
      await this.refuseUnlessAsExpected(manager, read(caller, pathId), id, conditions);
      await refuseWhileInUse(manager, kind, id, pathId);
      const before = (await this.documents.imagesOf(manager, kind.list, [id])).get(id);
      const afterwards = await kind.beforeRemoval?.(manager, [id]);
      await manager.query(`DELETE FROM ${kind.list} WHERE id = $1`, [id]);
      await afterwards?.();
      touch({ visibility: [kind.list] });
      await this.audit.record(manager, {
        actor: actorOf(caller),
        action: 'remove',
        resource: kind.list,
        recordId: id,
        before,
      });
    });
  }

  private transaction<T>(work: (transaction: CatalogTransaction) => Promise<T>): Promise<T> {
    return this.catalog.write(async (transaction) => {
      await takeWritingLock(transaction.manager);
      return work(transaction);
    });
  }

  private async write<Body extends RecordBody>(
    transaction: CatalogTransaction,
    caller: Principal,
    { kind, read }: WriteTarget<Body>,
    item: { id: number | null; body: Body },
    { createMissing }: WriteConditions,
  ): Promise<WriteAnswer> {
    const problems = new WriteProblems();
    const options = { actor: actorOf(caller), createMissing, problems, taken: new Map<string, number>() };
    const [outcome] = await this.writer.write(transaction, kind, [{ index: 0, ...item }], options);
    problems.refuseDocument();
    const { id, change } = outcome as WriteOutcome;
    return {
      created: change === 'created',
      id: await segmentOf(transaction.manager, kind, id),
      record: read(caller, String(id)),
    };
  }

  private async refuseUnlessAsExpected(
    manager: EntityManager,
    request: RecordRequest,
    id: number | null,
    { ifMatch, onlyNew, source }: WriteConditions,
  ): Promise<void> {
    if (onlyNew && id !== null) throw new PreconditionFailedError('If-None-Match: * was sent, and the record exists.');
    if (ifMatch.length === 0) return;
    if (id !== null && (await this.reader.isTagged(manager, request, { tags: ifMatch, source }))) return;
    throw new PreconditionFailedError(
      'The record is not what If-Match says: somebody changed it. GET it, look at the change, and write again.',
    );
  }
}

function checked<Body extends RecordBody>(kind: RecordKind<Body>, document: unknown): Body {
  const problems = validatorOf(kind).problemsOf(asObject(document));
  if (problems.length > 0) throw new InvalidInputError(problems);
  return bodyOf(kind, document);
}

function asObject(document: unknown): object {
  if (typeof document === 'object' && document !== null && !Array.isArray(document)) return document;
  throw new InvalidInputError([{ field: '', problem: 'The body must be a JSON object' }]);
}

/** A document that makes a record at a path has the accession of the path. */
function underAccession<Body extends RecordBody>(kind: RecordKind<Body>, body: Body, pathId: string): Body {
  if (/^\d+$/.test(pathId) || kind.accession === 'never') throw new UnknownRecordError(kind.word, pathId);
  const problems = validatorOf(kind).problemsOf({ ...body, external_id: pathId });
  if (problems.length > 0) throw new InvalidInputError(problems);
  if (body.external_id && body.external_id !== pathId) {
    throw new InvalidInputError([
      { field: 'external_id', problem: `must be ${JSON.stringify(pathId)}, as in the path` },
    ]);
  }
  return { ...body, external_id: pathId };
}

/** Digits are an `id_at_source`, everything else an `external_id`. */
export async function findId(
  manager: EntityManager,
  { list, accession }: Pick<RecordKind, 'list' | 'accession'>,
  pathId: string,
): Promise<number | null> {
  const byId = /^\d+$/.test(pathId);
  if (byId ? Number(pathId) > maxId : accession === 'never' || pathId.includes('\0')) return null;
  const [row] = await manager.query<{ id: number }[]>(
    `SELECT id FROM ${list} WHERE ${byId ? 'id = $1::integer' : 'external_id = $1'}`,
    [pathId],
  );
  return row?.id ?? null;
}

/** The same. @throws UnknownRecordError */
export async function needId(
  manager: EntityManager,
  kind: Pick<RecordKind, 'list' | 'accession' | 'word'>,
  pathId: string,
): Promise<number> {
  const id = await findId(manager, kind, pathId);
  if (id === null) throw new UnknownRecordError(kind.word, pathId);
  return id;
}

async function segmentOf(
  manager: EntityManager,
  { list, accession }: Pick<RecordKind, 'list' | 'accession'>,
  id: number,
): Promise<string> {
  if (accession === 'never') return String(id);
  const [row] = await manager.query<{ external_id: string | null }[]>(`SELECT external_id FROM ${list} WHERE id = $1`, [
    id,
  ]);
  return row?.external_id ?? String(id);
}

async function refuseWhileInUse(
  manager: EntityManager,
  { word, hindrances }: Pick<RecordKind, 'word' | 'hindrances'>,
  id: number,
  pathId: string,
): Promise<void> {
  const users: Record<string, number> = {};
  for (const { what, sql } of hindrances) {
    const [row] = await manager.query<{ count: number }[]>(sql, [[id]]);
    if (row) users[what] = row.count;
  }
  if (Object.keys(users).length > 0) throw new RecordInUseError(word, pathId, users);
}
