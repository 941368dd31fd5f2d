import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import type { Cursor, DocumentQuery, ListRequest, RecordRequest } from '../../publishing/documents/document-query.js';
import { pageOf, writeCursor, type ListParameters } from '../../publishing/documents/list-parameters.dto.js';
import { linkedDataType } from '../../publishing/schemas/read-responses.decorator.js';
import { Visibility } from '../../publishing/visibility/visibility.js';
import { Centre } from './centre.js';
import { catalogIri, contextMembers, dcatAp, themeTaxonomy } from './context.js';
import { linkedQuery, type LinkedList } from './linked-query.js';

/** The `Content-Type` of JSON-LD. */
export const linkedDataLabel = `${linkedDataType}; charset=utf-8`;

/** The caller for public documents, whose keys are ignored. */
const everybody: Principal = { kind: 'anonymous' };

const forEverybody = {
  'Content-Type': linkedDataLabel,
  'Cache-Control': 'public, no-cache',
  Vary: 'Accept',
} as const;

const inCatalog = { 'schema:includedInDataCatalog': { '@id': catalogIri } } as const;

/** Builds requests of published records as linked data (DCAT-AP 3 and schema.org). */
@Injectable()
export class LinkedData {
  constructor(
    private readonly centre: Centre,
    private readonly visibility: Visibility,
  ) {}

  /** Returns the request of a list as a graph of the published records that the caller sees in JSON. */
  graph(request: ListRequest, list: LinkedList, caller: Principal, base: string): ListRequest {
    const common = list === 'datasets' ? this.centre.ofDataset(base) : {};
    return {
      ...this.query({ list, where: request.where, caller, base, common, alone: false }),
      envelope: { open: `{${contextMembers(base)},"@graph":[`, close: ']}' },
      page: request.page,
      filteredByOtherRecords: request.filteredByOtherRecords ?? false,
    };
  }

  /** Returns the request of a published record that the caller sees in JSON. */
  node(request: RecordRequest, list: LinkedList, caller: Principal, base: string): RecordRequest {
    const common = list === 'datasets' ? this.centre.ofDataset(base) : {};
    const { kind, id, where } = request;
    return { ...this.query({ list, where, caller, base, common, alone: true }), kind, id };
  }

  /** Returns the query of all published datasets that a caller reads, each with the descriptions of the centre. */
  datasets(caller: Principal, base: string): DocumentQuery {
    const where = caller.kind === 'anonymous' ? [] : [this.visibility.datasets(caller)];
    return this.query({ list: 'datasets', where, caller, base, common: this.centre.ofDataset(base), alone: false });
  }

  /** Returns the request of the public catalog with its datasets. @throws InvalidInputError if `cursor` is invalid */
  catalog(query: ListParameters, base: string): ListRequest {
    return {
      ...this.publicDatasets(query, base),
      envelope: {
        open: `{${contextMembers(base)},${membersOf(this.description(base))},"dcat:dataset":[`,
        close: ']}',
        closePage: (next) => `],"hydra:view":${JSON.stringify(viewOf(query, next))}}`,
      },
    };
  }

  /** Returns the request of the public datasets, one line for each. @throws InvalidInputError if `cursor` is invalid */
  catalogLines(query: ListParameters, base: string): ListRequest {
    return { ...this.publicDatasets(query, base), envelope: { open: '', close: '', separator: ' ' } };
  }

  private publicDatasets(query: ListParameters, base: string): Omit<ListRequest, 'envelope'> {
    const common = { ...this.centre.referencesOfDataset(base), ...inCatalog };
    return {
      ...this.query({ list: 'datasets', where: [], caller: everybody, base, common, alone: false }),
      headers: forEverybody,
      page: pageOf(query),
      isPublic: true,
    };
  }

  /** Returns the request of one public record. @param alone whether the document contains the context */
  publicNode(list: LinkedList, id: string, base: string, alone = true): RecordRequest {
    const common = list === 'datasets' ? { ...this.centre.ofDataset(base), ...inCatalog } : {};
    return {
      ...this.query({ list, where: [], caller: everybody, base, common, alone }),
      headers: forEverybody,
      kind: list === 'datasets' ? 'public dataset' : 'public project',
      id,
    };
  }

  private query(options: {
    list: LinkedList;
    where: ListRequest['where'];
    caller: Principal;
    base: string;
    common: object;
    alone: boolean;
  }): ReturnType<typeof linkedQuery> {
    const exposures = this.visibility.exposures(options.caller);
    const pages = this.visibility.knownExposures(options.caller);
    const view = this.visibility.view(options.caller, options.list);
    const legislation = JSON.stringify(this.centre.legislation);
    return linkedQuery({ ...options, view, exposures, pages, legislation, common: membersOf(options.common) });
  }

  /** Returns the description of the catalog. */
  description(base: string): object {
    const title = `Data catalog of ${this.centre.nameAt(base)}`;
    const text = `Research datasets of ${this.centre.nameAt(base)} that can be requested, with their content and conditions of use.`;
    return {
      '@id': catalogIri,
      '@type': ['dcat:Catalog', 'schema:DataCatalog'],
      'dct:title': title,
      'schema:name': title,
      'dct:description': text,
      'schema:description': text,
      ...this.centre.publisher(base),
      'dcatap:applicableLegislation': this.centre.legislation,
      '@included': this.centre.described(base),
      'dcat:themeTaxonomy': { '@id': themeTaxonomy, '@type': 'skos:ConceptScheme', 'dct:title': 'Data theme' },
      'dct:conformsTo': { '@id': dcatAp, '@type': 'dct:Standard' },
    };
  }
}

/** Returns the description of a page. Its type has two names, because some harvesters support only the older name. */
export function viewOf(query: ListParameters, next: Cursor | undefined): object {
  const page = (cursor: string | undefined): { '@id': string } => {
    const asked = { limit: query.limit, updated_since: query.updated_since, cursor };
    const given = Object.entries(asked).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return { '@id': `${catalogIri}?${new URLSearchParams(given).toString()}` };
  };
  return {
    ...page(query.cursor),
    '@type': ['hydra:PartialCollectionView', 'hydra:PagedCollection'],
    ...(next && { 'hydra:next': page(writeCursor(next)) }),
  };
}

/** Returns a JSON object without its outer braces. */
function membersOf(value: object): string {
  return JSON.stringify(value).slice(1, -1);
}
