import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import type { Cursor, ListRequest, RecordRequest } from '../../publishing/documents/document-query.js';
import { pageOf, writeCursor, type ListParameters } from '../../publishing/documents/list-parameters.dto.js';
import { linkedDataType } from '../../publishing/schemas/read-responses.decorator.js';
import { CatalogSettings } from '../../platform/settings/catalog.settings.js';
import { Visibility } from '../../publishing/visibility/visibility.js';
import { contextMembers, dcatAp, themeTaxonomy } from './context.js';
import { linkedQuery, type LinkedList } from './linked-query.js';

/** The `Content-Type` of JSON-LD. */
export const linkedDataLabel = `${linkedDataType}; charset=utf-8`;

/** What everybody may read, whatever key they send. */
const everybody: Principal = { kind: 'anonymous' };

const forEverybody = { 'Content-Type': linkedDataLabel, 'Cache-Control': 'public, no-cache' } as const;

/** The address of the catalog as linked data, relative to the base. */
const catalogIri = 'api/dcat';

const inCatalog = { 'schema:includedInDataCatalog': { '@id': catalogIri } } as const;

/** Published records as linked data: DCAT-AP 3 and schema.org. */
@Injectable()
export class LinkedData {
  private readonly organisation: string | undefined;

  constructor(
    { HOME_ORGANISATION }: CatalogSettings,
    private readonly visibility: Visibility,
  ) {
    this.organisation = HOME_ORGANISATION;
  }

  /** A list as a caller sees it in JSON, as a graph of those among its records that are published. */
  graph(wanted: ListRequest, list: LinkedList, caller: Principal, base: string): ListRequest {
    const common = list === 'datasets' ? this.publisher(base) : {};
    return {
      ...this.query({ list, where: wanted.where, caller, base, common, alone: false }),
      envelope: { open: `{${contextMembers(base)},"@graph":[`, close: ']}' },
      page: wanted.page,
      filteredByOtherRecords: wanted.filteredByOtherRecords ?? false,
    };
  }

  /** A record that a caller sees in JSON, if it is published. */
  node(wanted: RecordRequest, list: LinkedList, caller: Principal, base: string): RecordRequest {
    const common = list === 'datasets' ? this.publisher(base) : {};
    const { kind, id, where } = wanted;
    return { ...this.query({ list, where, caller, base, common, alone: true }), kind, id };
  }

  /** What everybody may harvest: the catalog and its datasets. @throws InvalidInputError for a bad `cursor` */
  catalog(query: ListParameters, base: string): ListRequest {
    const { '@id': id } = this.publisher(base)['dct:publisher'];
    const common = { 'dct:publisher': { '@id': id }, 'schema:publisher': { '@id': id }, ...inCatalog };
    return {
      ...this.query({ list: 'datasets', where: [], caller: everybody, base, common, alone: false }),
      headers: forEverybody,
      envelope: {
        open: `{${contextMembers(base)},${membersOf(this.description(base))},"dcat:dataset":[`,
        close: ']}',
        closePage: (next) => `],"hydra:view":${JSON.stringify(viewOf(query, next))}}`,
      },
      page: pageOf(query),
      isPublic: true,
    };
  }

  /** One of what everybody may read. */
  publicNode(list: LinkedList, id: string, base: string): RecordRequest {
    const common = list === 'datasets' ? { ...this.publisher(base), ...inCatalog } : {};
    return {
      ...this.query({ list, where: [], caller: everybody, base, common, alone: true }),
      headers: forEverybody,
      kind: list === 'datasets' ? 'public dataset' : 'public project',
      id,
    };
  }

  private query(wish: {
    list: LinkedList;
    where: ListRequest['where'];
    caller: Principal;
    base: string;
    common: object;
    alone: boolean;
  }): ReturnType<typeof linkedQuery> {
    const exposures = this.visibility.exposures(wish.caller);
    const pages = this.visibility.knownExposures(wish.caller);
    const view = this.visibility.view(wish.caller, wish.list);
    return linkedQuery({ ...wish, view, exposures, pages, common: membersOf(wish.common) });
  }

  /** The catalog itself. */
  private description(base: string): object {
    const title = `Data catalog of ${this.nameAt(base)}`;
    const text = `Research datasets of ${this.nameAt(base)} that can be asked for: what they are and how they may be used.`;
    return {
      '@id': catalogIri,
      '@type': ['dcat:Catalog', 'schema:DataCatalog'],
      'dct:title': title,
      'schema:name': title,
      'dct:description': text,
      'schema:description': text,
      ...this.publisher(base),
      'dcat:themeTaxonomy': { '@id': themeTaxonomy, '@type': 'skos:ConceptScheme', 'dct:title': 'Data theme' },
      'dct:conformsTo': { '@id': dcatAp, '@type': 'dct:Standard' },
    };
  }

  /** The centre, which publishes whatever its catalog shows. */
  private publisher(base: string) {
    const id = `${catalogIri}#publisher`;
    const name = this.nameAt(base);
    const agent = { '@id': id, '@type': ['foaf:Agent', 'schema:Organization'], 'foaf:name': name, 'schema:name': name };
    return { 'dct:publisher': agent, 'schema:publisher': { '@id': id } };
  }

  private nameAt(base: string): string {
    return this.organisation ?? URL.parse(base)?.host ?? 'this centre';
  }
}

/** A page of the catalog, by both of the names under which harvesters look for the next one. */
function viewOf(query: ListParameters, next: Cursor | undefined): object {
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

/** A JSON object without the braces around its members. */
function membersOf(value: object): string {
  return JSON.stringify(value).slice(1, -1);
}
