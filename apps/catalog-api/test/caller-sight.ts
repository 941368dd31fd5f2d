import type { SmallCatalog } from './small-catalog.js';

/** A caller of the catalog: how the caller sends a GET. */
export type Caller = (path: string, headers?: Record<string, string>) => Promise<Response>;

/** A list as one caller reads it. */
export interface Reading {
  /** Reads that show the same records belong to one group. */
  readonly group: string;
  readonly path: string;
  readonly linked: boolean;
}

/** The response that a caller received. */
export interface Seen {
  readonly status: number;
  /** The body without the instants of the last change. */
  readonly text: string;
  /** The complete body. */
  readonly whole: string;
  readonly etag: string | null;
  /** The items without the instants of their last change, by accession, else by id. */
  readonly items: ReadonlyMap<string, string>;
}

/** Every list and form in which a caller can read records. */
export const readings: readonly Reading[] = [
  ...['', '?limit=2&with=updated_at', '?project_title=Title%201', '?project_title=Title%202', '?project_id=RDC_2'].map(
    (query) => plain('datasets', query),
  ),
  ...['', '?fields=acronym,external_id&with=updated_at', '?project_id=RDC_1'].map((query) => plain('projects', query)),
  ...['', '?all=true', '?project_id=RDC_2', '?all=true&project_id=RDC_1'].map((query) => plain('contracts', query)),
  ...['', '?published=true', '?published=false', '?limit=1'].map((query) => plain('partners', query)),
  ...['', '?published=false', '?published=all'].map((query) => plain('cohorts', query)),
  plain('users', ''),
  { group: 'datasets', path: '/api/datasets', linked: true },
  { group: 'projects', path: '/api/projects', linked: true },
  { group: 'dcat', path: '/api/dcat', linked: false },
  { group: 'dcat', path: '/sitemap.xml', linked: false },
  ...['1', '2', '3'].map((id) => ({ group: 'dcat projects', path: `/api/dcat/projects/RDC_${id}`, linked: false })),
];

function plain(list: string, query: string): Reading {
  return { group: list, path: `/api/${list}${query}`, linked: false };
}

const lastChange = /(?<=(?:"updated_at":"|"dct:modified":"|"schema:dateModified":"|<lastmod>))[^"<]+/g;

/** Reads one list as a caller. @param since adds `updated_since` */
export async function look(caller: Caller, { path, linked }: Reading, since?: string): Promise<Seen> {
  const url = since === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}updated_since=${since}`;
  const answer = await caller(url, linked ? { Accept: 'application/ld+json' } : {});
  const whole = await answer.text();
  const text = whole.replace(lastChange, '');
  const isJson = answer.headers.get('content-type')?.includes('json') === true && answer.status === 200;
  return {
    status: answer.status,
    text,
    whole,
    etag: answer.headers.get('etag'),
    items: isJson ? itemsOf(JSON.parse(text) as Record<string, unknown>) : new Map(),
  };
}

function itemsOf(body: Record<string, unknown>): Map<string, string> {
  const items = (body['items'] ?? body['results'] ?? body['@graph'] ?? body['dcat:dataset'] ?? []) as Record<
    string,
    unknown
  >[];
  return new Map(items.map((item) => [keyOf(item), JSON.stringify(item)]));
}

function keyOf(item: Record<string, unknown>): string {
  const iri = item['@id'] as string | undefined;
  return String(iri?.split('/').at(-1) ?? item['external_id'] ?? item['id_at_source'] ?? item['id']);
}

/** The caller with a key, or with none. */
export function callerWith(catalog: SmallCatalog, key: string | undefined): Caller {
  return (path, headers = {}) => catalog.fetch(path, { headers, ...(key !== undefined && { key }) });
}
