import { Injectable } from '@nestjs/common';
import { DocumentReader } from '../../publishing/documents/document-reader.js';
import { pageOf, type ListParameters } from '../../publishing/documents/list-parameters.dto.js';
import type { ReadConditions } from '../../publishing/documents/read-headers.decorator.js';
import type { StreamedList } from '../../publishing/documents/stored-response.js';
import { UsersRepository } from './users.repository.js';

/** Reads the list of people. */
@Injectable()
export class UsersService {
  constructor(
    private readonly repository: UsersRepository,
    private readonly reader: DocumentReader,
  ) {}

  /**
   * Returns the active people by last and first name.
   *
   * @throws InvalidInputError if `cursor` is invalid
   */
  async search(query: ListParameters, conditions: ReadConditions): Promise<StreamedList> {
    const envelope = { open: '{"results":[', close: ']}' };
    return this.reader.list({ ...this.repository.query(), envelope, page: pageOf(query, true) }, conditions);
  }
}
