import { Injectable } from '@nestjs/common';
import { PreconditionFailedError, UnknownRecordError } from '@rdc/errors';
import type { EntityManager } from 'typeorm';
import type { RecordRequest } from '../documents/document-query.js';
import { DocumentReader } from '../documents/document-reader.js';
import type { RecordKind } from './record-kind.js';
import { findId } from './record-lookup.js';

/** The preconditions of a write. */
export interface ExpectedState {
  /** The tags of `If-Match`. If there are any, the record must have one of them. */
  readonly ifMatch: readonly string[];
  /** Whether the request has `If-None-Match: *`. The record must then not exist. */
  readonly onlyNew: boolean;
  /** The origin under which the request was served. The record, and therefore its tag, can depend on the origin. */
  readonly origin: string;
}

type LookupKind = Pick<RecordKind, 'list' | 'accession'>;

/** Refuses writes of records that the caller does not see, or whose state differs from the expected state. */
@Injectable()
export class Preconditions {
  constructor(private readonly reader: DocumentReader) {}

  /**
   * Returns the id of a record that is in the expected state. A hidden record requires the same statements as an absent
   * one, so that the response time does not distinguish them.
   *
   * @throws UnknownRecordError if the caller sees no such record
   * @throws PreconditionFailedError if the state differs from the expected state
   */
  async findOrFail(
    manager: EntityManager,
    kind: LookupKind,
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
   * Returns the id of a record that is in the expected state, or null if no record has the id of the request.
   *
   * @throws UnknownRecordError if the record exists and the caller does not see it
   * @throws PreconditionFailedError if the state differs from the expected state
   */
  async find(
    manager: EntityManager,
    kind: LookupKind,
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
    { ifMatch, onlyNew, origin }: ExpectedState,
  ): Promise<void> {
    if (onlyNew && id !== null) {
      throw new PreconditionFailedError('The request has If-None-Match: *, and the record exists.');
    }
    if (ifMatch.length === 0) return;
    if (id !== null && (await this.reader.isTagged(manager, request, { tags: ifMatch, origin }))) return;
    throw staleRecordError();
  }
}

/** Returns the error of a write whose `If-Match` contains no tag of the current record. */
export function staleRecordError(): PreconditionFailedError {
  return new PreconditionFailedError(
    'The record does not match If-Match: it has changed. GET the record, inspect the change, and repeat the write.',
  );
}
