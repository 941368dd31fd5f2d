import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import Negotiator from 'negotiator';
import type { DocumentQuery, ListRequest, RecordRequest } from '../../publishing/documents/document-query.js';
import { DocumentReader } from '../../publishing/documents/document-reader.js';
import type { ReadConditions } from '../../publishing/documents/read-headers.decorator.js';
import { privateJson, type StoredDocument, type StreamedList } from '../../publishing/documents/stored-response.js';
import { IriBase } from './iri-base.js';
import { linkedDataType } from '../../publishing/schemas/read-responses.decorator.js';
import { LinkedData, linkedDataLabel } from './linked-data.js';
import type { LinkedList } from './linked-query.js';

/** The media types that the catalog can send. All but the last are sent as JSON. */
const mediaTypes = ['*/*', 'application/*', 'application/json', linkedDataType];

const jsonHeaders = { ...privateJson, Vary: `Accept, ${privateJson.Vary}` };
const linkedHeaders = { ...jsonHeaders, 'Content-Type': linkedDataLabel };

/** Reads projects and datasets as JSON-LD if the caller prefers JSON-LD, otherwise as JSON. */
@Injectable()
export class NegotiatedReader {
  constructor(
    private readonly reader: DocumentReader,
    private readonly linkedData: LinkedData,
    private readonly base: IriBase,
  ) {}

  /** Returns a list of projects or datasets, or a page of the list. */
  list(request: ListRequest, caller: Principal, conditions: ReadConditions): Promise<StreamedList> {
    const { list } = request;
    if (!isLinked(list) || !prefersLinkedData(conditions)) {
      return this.reader.list({ ...request, headers: jsonHeaders }, conditions);
    }
    const graph = this.linkedData.graph(request, list, caller, this.base.of(conditions.origin));
    return this.reader.list({ ...graph, headers: linkedHeaders }, conditions);
  }

  /** @throws UnknownRecordError if the caller sees no such record, or the record is not published as linked data */
  record(request: RecordRequest, caller: Principal, conditions: ReadConditions): Promise<StoredDocument> {
    const { list } = request;
    if (!isLinked(list) || !prefersLinkedData(conditions)) {
      return this.reader.record({ ...request, headers: jsonHeaders }, conditions);
    }
    const node = this.linkedData.node(request, list, caller, this.base.of(conditions.origin));
    return this.reader.record({ ...node, headers: linkedHeaders }, conditions);
  }
}

function isLinked(list: DocumentQuery['list']): list is LinkedList {
  return list === 'projects' || list === 'datasets';
}

/** Returns whether the caller prefers JSON-LD, of any profile, to the other media types that the catalog can send. */
function prefersLinkedData({ accept }: ReadConditions): boolean {
  const accepted = new Negotiator({ headers: { accept } }).mediaTypes().map((type) => type.toLowerCase());
  return accepted.find((type) => mediaTypes.includes(type)) === linkedDataType;
}
