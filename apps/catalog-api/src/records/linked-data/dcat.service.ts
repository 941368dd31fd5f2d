import { Injectable } from '@nestjs/common';
import { pipeline } from 'node:stream';
import { DocumentReader } from '../../publishing/documents/document-reader.js';
import type { ListParameters } from '../../publishing/documents/list-parameters.dto.js';
import type { ReadConditions } from '../../publishing/documents/read-headers.decorator.js';
import type { StoredDocument, StreamedList } from '../../publishing/documents/stored-response.js';
import { CatalogChanges } from './catalog-changes.js';
import { catalogIri } from './context.js';
import { IriBase } from './iri-base.js';
import { LinkedData, viewOf } from './linked-data.js';
import type { LinkedList } from './linked-query.js';
import { landingPage, landingPageFormat } from './landing-page.js';
import {
  plainConditions,
  prefersPage,
  rdfFormatOf,
  withFormat,
  type RdfFormat,
  type Representation,
} from './rdf-format.js';
import { RecordLines } from './rdf-stream.js';
import { StatementReader } from './statements.js';

type Node = Readonly<Record<string, unknown>>;

/** Reads the public catalog as linked data, in the format that the caller prefers. */
@Injectable()
export class DcatService {
  constructor(
    private readonly linkedData: LinkedData,
    private readonly base: IriBase,
    private readonly reader: DocumentReader,
    private readonly changes: CatalogChanges,
  ) {}

  /**
   * Returns the catalog with its datasets.
   *
   * @throws InvalidInputError if `cursor` is invalid
   * @throws NotAcceptableError if the caller accepts no format of the catalog
   */
  async catalog(query: ListParameters, conditions: ReadConditions): Promise<StreamedList> {
    const format = rdfFormatOf(conditions.accept);
    const base = this.base.of(conditions.origin);
    const list = format
      ? await this.converted(format, query, { ...conditions, base })
      : await this.reader.list(this.linkedData.catalog(query, base), conditions);
    return { ...list, headers: { ...list.headers, ...lastModified(await this.changes.last()) } };
  }

  /**
   * Returns a public record.
   *
   * @throws UnknownRecordError if no public record has the id
   * @throws NotAcceptableError if the caller accepts no format of the catalog
   */
  async get(list: LinkedList, id: string, conditions: ReadConditions): Promise<StoredDocument> {
    const base = this.base.of(conditions.origin);
    if (list === 'datasets' && prefersPage(conditions.accept)) {
      const page = await this.record({ list, id, base }, conditions, landingPageFormat, (node) =>
        landingPage(node, base),
      );
      return { ...page, headers: { ...page.headers, ...landingPageFormat.headers } };
    }
    const format = rdfFormatOf(conditions.accept);
    if (!format)
      return withLastChange(await this.reader.record(this.linkedData.publicNode(list, id, base), conditions));
    return this.record({ list, id, base }, conditions, format, (node) => {
      return format.head + format.write(new StatementReader(base).read(node)) + format.tail;
    });
  }

  /** Returns a public record that is converted from JSON-LD. */
  private async record(
    { list, id, base }: { readonly list: LinkedList; readonly id: string; readonly base: string },
    conditions: ReadConditions,
    format: Representation,
    convert: (node: Node) => string,
  ): Promise<StoredDocument> {
    const request = this.linkedData.publicNode(list, id, base, false);
    const document = withLastChange(await this.reader.record(request, plainConditions(format, conditions)));
    return withFormat(format, { ...document, body: document.body && convert(JSON.parse(document.body) as Node) });
  }

  private async converted(
    format: RdfFormat,
    query: ListParameters,
    conditions: ReadConditions & { readonly base: string },
  ): Promise<StreamedList> {
    const { base, head } = conditions;
    const request = this.linkedData.catalogLines(query, base);
    const list = await this.reader.list(request, plainConditions(format, conditions));
    const { body } = list;
    if (body === undefined || (head && typeof body !== 'string')) return withFormat(format, list);
    const statements = new StatementReader(base);
    const view = query.limit === undefined ? {} : { 'hydra:view': viewOf(query, list.next) };
    const start = format.head + format.write(statements.read({ ...this.linkedData.description(base), ...view }));
    const convert = (line: string): string => {
      const node = JSON.parse(line) as Node;
      const link = { '@id': catalogIri, 'dcat:dataset': { '@id': node['@id'] } };
      return format.write([...statements.read(link), ...statements.read(node)]);
    };
    if (typeof body !== 'string') {
      const lines = new RecordLines(convert, start, format.tail);
      return withFormat(format, { ...list, body: pipeline(body, lines, ignoreError) });
    }
    const records = body.split('\n').filter((line) => line !== '');
    return withFormat(format, { ...list, body: start + records.map(convert).join('') + format.tail });
  }
}

/** Ignores the error of a stream, which the stream reports to the reader of its end. */
function ignoreError(): void {
  // The server ends the response.
}

/** Adds the time of the last change to a record. */
function withLastChange(document: StoredDocument): StoredDocument {
  return { ...document, headers: { ...document.headers, ...lastModified(modifiedIn(document.body)) } };
}

/** Returns the instant at which a record last changed for the public. */
function modifiedIn(body: string | undefined): Date | undefined {
  const [, text] = /"dct:modified"\s*:\s*"([^"]+)"/.exec(body ?? '') ?? [];
  return text === undefined ? undefined : new Date(text);
}

function lastModified(instant: Date | undefined): { 'Last-Modified'?: string } {
  return instant === undefined ? {} : { 'Last-Modified': instant.toUTCString() };
}
