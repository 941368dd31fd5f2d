import { Injectable } from '@nestjs/common';
import { DocumentReader } from '../../publishing/documents/document-reader.js';
import type { ListParameters } from '../../publishing/documents/list-parameters.dto.js';
import type { ReadConditions } from '../../publishing/documents/read-headers.decorator.js';
import type { StoredDocument, StreamedList } from '../../publishing/documents/stored-response.js';
import { IriBase } from './iri-base.js';
import { LinkedData } from './linked-data.js';
import type { LinkedList } from './linked-query.js';

/** Reads the public catalog as linked data. */
@Injectable()
export class DcatService {
  constructor(
    private readonly linkedData: LinkedData,
    private readonly base: IriBase,
    private readonly reader: DocumentReader,
  ) {}

  /**
   * Returns the catalog with its datasets.
   *
   * @throws InvalidInputError if `cursor` is invalid
   */
  async catalog(query: ListParameters, conditions: ReadConditions): Promise<StreamedList> {
    return this.reader.list(this.linkedData.catalog(query, this.base.of(conditions.origin)), conditions);
  }

  /** @throws UnknownRecordError if no public record has the id */
  get(list: LinkedList, id: string, conditions: ReadConditions): Promise<StoredDocument> {
    return this.reader.record(this.linkedData.publicNode(list, id, this.base.of(conditions.origin)), conditions);
  }
}
