import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import type { RecordRequest } from '../../publishing/documents/document-query.js';
import { DocumentReader } from '../../publishing/documents/document-reader.js';
import { pageOf } from '../../publishing/documents/list-parameters.dto.js';
import type { ReadConditions } from '../../publishing/documents/read-headers.decorator.js';
import type { StoredDocument, StreamedList } from '../../publishing/documents/stored-response.js';
import { Visibility } from '../../publishing/visibility/visibility.js';
import { ContractsRepository } from './contracts.repository.js';
import type { SearchContracts } from './search-contracts.dto.js';

/** Reads contracts. */
@Injectable()
export class ContractsService {
  constructor(
    private readonly visibility: Visibility,
    private readonly repository: ContractsRepository,
    private readonly reader: DocumentReader,
  ) {}

  /**
   * Returns the contracts that the caller sees.
   *
   * @throws InvalidInputError if `cursor` is invalid
   */
  async search(caller: Principal, query: SearchContracts, conditions: ReadConditions): Promise<StreamedList> {
    const all = query.all?.toLowerCase() === 'true';
    const request = {
      ...this.repository.query(this.visibility.visibleRecords(caller, 'contracts', all), query),
      envelope: { open: '{"items":[', close: ']}' },
      page: pageOf(query),
      filteredByOtherRecords: query.project_id !== undefined,
    };
    return this.reader.list(request, conditions);
  }

  /** @throws UnknownRecordError if the caller sees no such contract */
  get(caller: Principal, id: string, conditions: ReadConditions): Promise<StoredDocument> {
    return this.reader.record(this.requestOf(caller, id), conditions);
  }

  /**
   * Returns the request of one contract as the caller sees it, in the base set or not. Writes check their preconditions
   * with this request.
   */
  requestOf(caller: Principal, id: string): RecordRequest {
    return {
      ...this.repository.query(this.visibility.visibleRecords(caller, 'contracts', true)),
      kind: 'contract',
      id,
    };
  }
}
