import { Injectable } from '@nestjs/common';
import { isLimitedToProjects, type Principal } from '@rdc/auth';
import { actorOf } from '../audit/audit-trail.js';
import { CatalogWriter, type CatalogTransaction } from '../documents/catalog-writer.js';
import type { RecordRequest } from '../documents/document-query.js';
import { DocumentReader } from '../documents/document-reader.js';
import type { ListName } from '../documents/list-names.js';
import type { StoredDocument } from '../documents/stored-response.js';
import { Preconditions, type ExpectedState } from './preconditions.js';
import { asObject, bodyOf, checked, merged, underAccession } from './read-document.js';
import type { RecordBody, RecordKind } from './record-kind.js';
import { pathSegmentOf } from './record-lookup.js';
import { RecordWriter, type WriteOutcome } from './record-writer.js';
import { WriteProblems } from './write-problems.js';
import { WriterRightsResolver } from './writer-rights.js';
import { acquireWritingLock } from './writing-lock.js';

/** The preconditions and options of a write. */
export interface WriteConditions extends ExpectedState {
  /** Whether to create the records that the document names and that do not exist. */
  readonly createMissing: boolean;
}

/** A kind of record, and the request by which a caller reads one record of that kind. */
export interface WriteTarget<Body extends RecordBody> {
  readonly kind: RecordKind<Body>;
  readonly requestOf: (caller: Principal, id: string) => RecordRequest;
}

/** A record that was written. */
export interface WriteResult {
  readonly created: boolean;
  readonly list: ListName;
  /** The path segment of the record: the accession if there is one, otherwise the id. */
  readonly id: string;
  /** The record as the caller reads it; undefined if the caller does not see the record. */
  readonly document: StoredDocument | undefined;
}

/** A record that a transaction wrote. */
interface WrittenRow {
  readonly id: number;
  readonly created: boolean;
  readonly segment: string;
}

/** Writes one record by its document. The controllers declare the permissions. */
@Injectable()
export class RecordWriting {
  constructor(
    private readonly catalog: CatalogWriter,
    private readonly writer: RecordWriter,
    private readonly preconditions: Preconditions,
    private readonly rights: WriterRightsResolver,
    private readonly reader: DocumentReader,
  ) {}

  /** Creates a record. @throws InvalidInputError if the document is invalid */
  async create<Body extends RecordBody>(
    caller: Principal,
    target: WriteTarget<Body>,
    document: unknown,
    conditions: WriteConditions,
  ): Promise<WriteResult> {
    const row = await this.transaction(async (transaction) => {
      const body = await checked(target.kind, document);
      return this.write(transaction, caller, target.kind, { id: null, body }, conditions);
    });
    return this.read(caller, target, row, conditions);
  }

  /**
   * Replaces a record, or creates one under an accession. A key that is limited to projects can only replace records. If
   * such a key could create records under free accessions, the key could find the accessions of hidden records.
   *
   * @throws UnknownRecordError if the path has digits that are no id, or if the caller may not read or create the record
   */
  async replace<Body extends RecordBody>(
    caller: Principal,
    target: WriteTarget<Body>,
    pathId: string,
    document: unknown,
    conditions: WriteConditions,
  ): Promise<WriteResult> {
    const { kind } = target;
    const row = await this.transaction(async (transaction) => {
      const body = await checked(kind, document);
      const find = isLimitedToProjects(caller) ? 'findOrFail' : 'find';
      const request = target.requestOf(caller, pathId);
      const id = await this.preconditions[find](transaction.manager, kind, request, conditions);
      const item = { id, body: id === null ? underAccession(kind, body, pathId) : body };
      return this.write(transaction, caller, kind, item, conditions);
    });
    return this.read(caller, target, row, conditions);
  }

  /** Replaces the members of a record that the document contains. @throws UnknownRecordError if there is no record */
  async merge<Body extends RecordBody>(
    caller: Principal,
    target: WriteTarget<Body>,
    pathId: string,
    document: unknown,
    conditions: WriteConditions,
  ): Promise<WriteResult> {
    const row = await this.replaceMembers(caller, target, pathId, () => asObject(document), conditions);
    return this.read(caller, target, row, conditions);
  }

  /**
   * Replaces members of a record by members that depend on the current document.
   *
   * @param membersOf returns the new members
   * @throws UnknownRecordError if there is no record
   */
  async amend<Body extends RecordBody>(
    caller: Principal,
    target: WriteTarget<Body>,
    pathId: string,
    membersOf: (body: Body) => object,
    conditions: WriteConditions,
  ): Promise<void> {
    await this.replaceMembers(caller, target, pathId, membersOf, conditions);
  }

  private replaceMembers<Body extends RecordBody>(
    caller: Principal,
    { kind, requestOf }: WriteTarget<Body>,
    pathId: string,
    membersOf: (body: Body) => object,
    conditions: WriteConditions,
  ): Promise<WrittenRow> {
    return this.transaction(async (transaction) => {
      const { manager } = transaction;
      const id = await this.preconditions.findOrFail(manager, kind, requestOf(caller, pathId), conditions);
      const before = bodyOf(kind, await this.writer.imageOf(manager, kind, id));
      const body = await checked(kind, merged(kind, before, membersOf(before)));
      return this.write(transaction, caller, kind, { id, body }, conditions);
    });
  }

  private transaction<T>(work: (transaction: CatalogTransaction) => Promise<T>): Promise<T> {
    return this.catalog.write(async (transaction) => {
      await acquireWritingLock(transaction.manager);
      return work(transaction);
    });
  }

  private async write<Body extends RecordBody>(
    transaction: CatalogTransaction,
    caller: Principal,
    kind: RecordKind<Body>,
    item: { id: number | null; body: Body },
    { createMissing }: WriteConditions,
  ): Promise<WrittenRow> {
    const problems = new WriteProblems();
    const rights = this.rights.resolve(caller, kind.list);
    const options = { actor: actorOf(caller), rights, createMissing, problems, usedNames: new Map<string, number>() };
    const [outcome] = await this.writer.write(transaction, kind, [{ index: 0, ...item }], options);
    problems.refuseDocument();
    const { id, change } = outcome as WriteOutcome;
    return { id, created: change === 'created', segment: await pathSegmentOf(transaction.manager, kind, id) };
  }

  /** Reads a record after its transaction. */
  private async read<Body extends RecordBody>(
    caller: Principal,
    { kind, requestOf }: WriteTarget<Body>,
    { id, created, segment }: WrittenRow,
    { origin }: ExpectedState,
  ): Promise<WriteResult> {
    const document = await this.reader.findRecord(requestOf(caller, String(id)), { ifNoneMatch: [], origin });
    return { created, list: kind.list, id: segment, document };
  }
}
