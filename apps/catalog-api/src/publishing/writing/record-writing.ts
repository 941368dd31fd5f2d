import { Injectable } from '@nestjs/common';
import { isLimitedToProjects, type Principal } from '@rdc/auth';
import { actorOf } from '../audit/audit-trail.js';
import { CatalogWriter, type CatalogTransaction } from '../documents/catalog-writer.js';
import type { RecordRequest } from '../documents/document-query.js';
import { Preconditions, type ExpectedState } from './preconditions.js';
import { Publisher, type PublishedList } from './publisher.js';
import { asObject, bodyOf, checked, merged, underAccession } from './read-document.js';
import type { RecordBody, RecordKind } from './record-kind.js';
import { refuseWhileInUse, pathSegmentOf } from './record-lookup.js';
import { RecordRemover } from './record-remover.js';
import { RecordWriter, type WriteOutcome } from './record-writer.js';
import { WriteProblems } from './write-problems.js';
import { WriterRightsResolver } from './writer-rights.js';
import { acquireWritingLock } from './writing-lock.js';

/** The headers and the query of a write. */
export interface WriteConditions extends ExpectedState {
  /** Whether to make the records that the document names and that do not exist. */
  readonly createMissing: boolean;
}

/** A kind of record that callers write, and how one of them is read. */
export interface WriteTarget<Body extends RecordBody> {
  readonly kind: RecordKind<Body>;
  readonly read: (caller: Principal, id: string) => RecordRequest;
}

/** What was written, to be answered with. */
export interface WriteResult {
  readonly created: boolean;
  /** Its path segment: the accession where there is one. */
  readonly id: string;
  readonly record: RecordRequest;
}

/** Writing one record by its document (catalog interface, section 6). Who may is said at the controllers. */
@Injectable()
export class RecordWriting {
  constructor(
    private readonly catalog: CatalogWriter,
    private readonly writer: RecordWriter,
    private readonly preconditions: Preconditions,
    private readonly publisher: Publisher,
    private readonly remover: RecordRemover,
    private readonly rights: WriterRightsResolver,
  ) {}

  /** Makes a record. @throws InvalidInputError */
  create<Body extends RecordBody>(
    caller: Principal,
    target: WriteTarget<Body>,
    document: unknown,
    conditions: WriteConditions,
  ): Promise<WriteResult> {
    return this.transaction(async (transaction) => {
      const body = await checked(target.kind, document);
      return this.write(transaction, caller, target, { id: null, body }, conditions);
    });
  }

  /**
   * Replaces a record, or makes one under an accession. A key that is limited to projects only replaces: if it could make
   * a record under each accession that is free, it would learn which accessions hidden records have.
   *
   * @throws UnknownRecordError for digits that are no id, and if the caller may not read or make the record
   */
  replace<Body extends RecordBody>(
    caller: Principal,
    target: WriteTarget<Body>,
    pathId: string,
    document: unknown,
    conditions: WriteConditions,
  ): Promise<WriteResult> {
    return this.transaction(async (transaction) => {
      const body = await checked(target.kind, document);
      const found = isLimitedToProjects(caller) ? 'findOrFail' : 'find';
      const id = await this.preconditions[found](
        transaction.manager,
        target.kind,
        target.read(caller, pathId),
        conditions,
      );
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
  ): Promise<WriteResult> {
    return this.amend(caller, target, pathId, () => asObject(document), conditions);
  }

  /**
   * Replaces members of a record by what its present document decides.
   *
   * @param membersOf returns the new members
   * @throws UnknownRecordError
   */
  amend<Body extends RecordBody>(
    caller: Principal,
    target: WriteTarget<Body>,
    pathId: string,
    membersOf: (body: Body) => object,
    conditions: WriteConditions,
  ): Promise<WriteResult> {
    return this.transaction(async (transaction) => {
      const { kind } = target;
      const id = await this.preconditions.findOrFail(
        transaction.manager,
        kind,
        target.read(caller, pathId),
        conditions,
      );
      const before = bodyOf(kind, await this.writer.imageOf(transaction.manager, kind, id));
      const body = await checked(kind, merged(kind, before, membersOf(before)));
      return this.write(transaction, caller, target, { id, body }, conditions);
    });
  }

  /** Publishes a partner or a cohort, or takes that back. Doing it twice changes nothing. @throws UnknownRecordError */
  publish<Body extends RecordBody>(
    caller: Principal,
    { kind, read }: WriteTarget<Body>,
    pathId: string,
    { published, ...expected }: ExpectedState & { readonly published: boolean },
  ): Promise<WriteResult> {
    return this.transaction(async (transaction) => {
      this.rights.resolve(caller, kind.list);
      const id = await this.preconditions.findOrFail(transaction.manager, kind, read(caller, pathId), expected);
      const list = kind.list as PublishedList;
      await this.publisher[published ? 'publish' : 'unpublish'](transaction, list, [id], actorOf(caller));
      return { created: false, id: pathId, record: read(caller, String(id)) };
    });
  }

  /** Removes a record. @throws UnknownRecordError, RecordInUseError */
  async remove<Body extends RecordBody>(
    caller: Principal,
    { kind, read }: WriteTarget<Body>,
    pathId: string,
    conditions: WriteConditions,
  ): Promise<void> {
    await this.transaction(async (transaction) => {
      const { manager } = transaction;
      this.rights.resolve(caller, kind.list);
      const id = await this.preconditions.findOrFail(manager, kind, read(caller, pathId), conditions);
      await refuseWhileInUse(manager, kind, id, pathId);
      await this.remover.remove(transaction, { kind, id, actor: actorOf(caller) });
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
    { kind, read }: WriteTarget<Body>,
    item: { id: number | null; body: Body },
    { createMissing }: WriteConditions,
  ): Promise<WriteResult> {
    const problems = new WriteProblems();
    const rights = this.rights.resolve(caller, kind.list);
    const options = { actor: actorOf(caller), rights, createMissing, problems, taken: new Map<string, number>() };
    const [outcome] = await this.writer.write(transaction, kind, [{ index: 0, ...item }], options);
    problems.refuseDocument();
    const { id, change } = outcome as WriteOutcome;
    return {
      created: change === 'created',
      id: await pathSegmentOf(transaction.manager, kind, id),
      record: read(caller, String(id)),
    };
  }
}
