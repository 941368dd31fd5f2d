import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import { actorOf } from '../audit/audit-trail.js';
import { CatalogWriter, type CatalogTransaction } from '../documents/catalog-writer.js';
import { DocumentReader } from '../documents/document-reader.js';
import { Preconditions, type ExpectedState } from './preconditions.js';
import { Publisher, type PublishedList } from './publisher.js';
import type { RecordBody } from './record-kind.js';
import { refuseWhileInUse } from './record-lookup.js';
import { RecordRemover } from './record-remover.js';
import type { WriteResult, WriteTarget } from './record-writing.js';
import { WriterRightsResolver } from './writer-rights.js';
import { acquireWritingLock } from './writing-lock.js';

/** Publishes, unpublishes and removes single records. The controllers declare the permissions. */
@Injectable()
export class RecordLifecycle {
  constructor(
    private readonly catalog: CatalogWriter,
    private readonly preconditions: Preconditions,
    private readonly publisher: Publisher,
    private readonly remover: RecordRemover,
    private readonly rights: WriterRightsResolver,
    private readonly reader: DocumentReader,
  ) {}

  /** Publishes or unpublishes a partner or a cohort; idempotent. @throws UnknownRecordError if there is no record */
  async publish<Body extends RecordBody>(
    caller: Principal,
    { kind, requestOf }: WriteTarget<Body>,
    pathId: string,
    { published, ...expected }: ExpectedState & { readonly published: boolean },
  ): Promise<WriteResult> {
    const id = await this.transaction(async (transaction) => {
      this.rights.resolve(caller, kind.list);
      const request = requestOf(caller, pathId);
      const found = await this.preconditions.findOrFail(transaction.manager, kind, request, expected);
      const list = kind.list as PublishedList;
      await this.publisher[published ? 'publish' : 'unpublish'](transaction, list, [found], actorOf(caller));
      return found;
    });
    const conditions = { ifNoneMatch: [], origin: expected.origin };
    const document = await this.reader.findRecord(requestOf(caller, String(id)), conditions);
    return { created: false, list: kind.list, id: pathId, document };
  }

  /**
   * Removes a record.
   *
   * @throws UnknownRecordError if there is no record
   * @throws RecordInUseError if other records refer to the record
   */
  async remove<Body extends RecordBody>(
    caller: Principal,
    { kind, requestOf }: WriteTarget<Body>,
    pathId: string,
    expected: ExpectedState,
  ): Promise<void> {
    await this.transaction(async (transaction) => {
      const { manager } = transaction;
      this.rights.resolve(caller, kind.list);
      const id = await this.preconditions.findOrFail(manager, kind, requestOf(caller, pathId), expected);
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
}
