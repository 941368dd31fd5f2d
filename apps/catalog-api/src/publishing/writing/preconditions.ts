import { Injectable } from '@nestjs/common';
import { PreconditionFailedError, UnknownRecordError } from '@rdc/errors';
import type { EntityManager } from 'typeorm';
import type { RecordRequest } from '../documents/document-query.js';
import { DocumentReader } from '../documents/document-reader.js';
import type { RecordKind } from './record-kind.js';
import { findId } from './record-lookup.js';

/** What the headers of a write say of the record it is about. */
export interface ExpectedState {
  /** Tags of `If-Match`: the write must be about one of these versions. */
  readonly ifMatch: readonly string[];
  /** Whether `If-None-Match: *` says that the record must not exist. */
  readonly onlyNew: boolean;
  /** The `source` of records of our own, which tags depend on. */
  readonly source: string;
}

/** How the id of a record is found. */
type FoundKind = Pick<RecordKind, 'list' | 'accession'>;

/** Refuses writes of records that the caller does not see, or that are in another state than the caller expects. */
@Injectable()
export class Preconditions {
  constructor(private readonly reader: DocumentReader) {}

  /**
   * Returns the id of a record that is in the state that the caller expects. A record that the caller may not read takes
   * the same statements as an absent one.
   *
   * @throws UnknownRecordError if the caller reads no such record
   * @throws PreconditionFailedError
   */
  async findOrFail(
    manager: EntityManager,
    kind: FoundKind,
    request: RecordRequest,
    expected: ExpectedState,
  ): Promise<number> {
    const id = await findId(manager, kind, request.id);
    const isVisible = await this.reader.isVisible(manager, request);
    if (id === null || !isVisible) throw new UnknownRecordError(request.kind, request.id);
    await this.check(manager, request, id, expected);
    return id;
  }

  /**
   * Returns the same, or null if there is no such record.
   *
   * @throws UnknownRecordError if there is one, and the caller may not read it
   * @throws PreconditionFailedError
   */
  async find(
    manager: EntityManager,
    kind: FoundKind,
    request: RecordRequest,
    expected: ExpectedState,
  ): Promise<number | null> {
    const id = await findId(manager, kind, request.id);
    if (id !== null && !(await this.reader.isVisible(manager, request))) {
      throw new UnknownRecordError(request.kind, request.id);
    }
    await this.check(manager, request, id, expected);
    return id;
  }

  private async check(
    manager: EntityManager,
    request: RecordRequest,
    id: number | null,
    { ifMatch, onlyNew, source }: ExpectedState,
  ): Promise<void> {
    if (onlyNew && id !== null) throw new PreconditionFailedError('If-None-Match: * was sent, and the record exists.');
    if (ifMatch.length === 0) return;
    if (id !== null && (await this.reader.isTagged(manager, request, { tags: ifMatch, source }))) return;
    throw staleRecordError();
  }
}

/** The refusal of a write whose `If-Match` holds no tag of what is there now. */
export function staleRecordError(): PreconditionFailedError {
  return new PreconditionFailedError(
    'The record is not what If-Match says: somebody changed it. GET it, look at the change, and write again.',
  );
}
