import type { Client } from 'openapi-fetch';
import { ApiError } from './errors.js';
import type { components, paths } from './generated/catalog-api.js';

type Schemas = components['schemas'];

/** The records of each list. */
interface Records {
  cohorts: Schemas['Cohort'];
  contracts: Schemas['Contract'];
  datasets: Schemas['Dataset'];
  partners: Schemas['Partner'];
  projects: Schemas['Project'];
}

/** A list that can be harvested. */
export type ListName = keyof Records;

/** A record of a list. */
export type RecordOf<List extends ListName> = Records[List];

/** The options of a harvest. */
export interface HarvestOptions {
  /** The `state` of the last stored page. */
  readonly state?: string | undefined;
  /** Parameters of the list, such as `{ published: 'all' }` of cohorts. */
  readonly filters?: Readonly<Record<string, string>>;
  /** The number of records on a page, up to 1000; 500 by default. */
  readonly pageSize?: number;
}

/** Records that changed, and the state after them. */
export interface HarvestPage<Item> {
  readonly records: readonly Item[];
  /** A text for the next harvest. Its content can change with the version of this package. */
  readonly state: string;
}

/** The place in a list. A pass reads the records that changed since the previous pass. */
interface Place {
  readonly list: ListName;
  readonly filters: Readonly<Record<string, string>>;
  /** The tag of the list before the latest pass. */
  readonly etag: string | null;
  /** The beginning of the latest complete pass. */
  readonly since: string | null;
  /** The beginning of the pass that is not complete. */
  readonly started: string | null;
  /** The query of the next page of the pass that is not complete. */
  readonly next: Query | null;
}

type Query = Readonly<Record<string, string>>;
type Api = Client<paths, 'application/json'>;
type Body = { readonly items?: readonly unknown[]; readonly results?: readonly unknown[] };

/** A change can be read slightly later than its instant, so a pass begins an hour before the previous pass. */
const overlapMs = 3_600_000;

/** Reads a list from a state. */
export async function* harvest<List extends ListName>(
  api: Api,
  list: List,
  { state, filters = {}, pageSize = 500 }: HarvestOptions,
): AsyncGenerator<HarvestPage<RecordOf<List>>, void> {
  let place = read(state, { list, filters, etag: null, since: null, started: null, next: null });
  if (place.next !== null) {
    try {
      yield* pass(api, list, place);
      return;
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'input.invalid')) throw error;
    }
    // The service has another version, which does not accept the query: the pass begins again.
    place = { ...place, next: null };
  }
  const { response } = await get(api, list, { ...filters, limit: '1' }, place.etag);
  if (response.status === 304) return;
  const next = {
    ...filters,
    limit: String(pageSize),
    ...(place.since !== null && { updated_since: before(place.since) }),
  };
  const started = new Date(response.headers.get('Date') ?? Date.now()).toISOString();
  yield* pass(api, list, { ...place, etag: response.headers.get('ETag'), started, next });
}

/** Reads the pages of a pass from `start.next`. */
async function* pass<List extends ListName>(
  api: Api,
  list: List,
  start: Place,
): AsyncGenerator<HarvestPage<RecordOf<List>>, void> {
  let place = start;
  while (place.next !== null) {
    const { data, response } = await get(api, list, place.next);
    const next = nextOf(response.headers.get('Link'));
    place = next ? { ...place, next } : { ...place, since: place.started, started: null, next: null };
    const records = (data?.items ?? data?.results ?? []) as readonly RecordOf<List>[];
    yield { records, state: JSON.stringify(place) };
  }
}

async function get(
  api: Api,
  list: ListName,
  query: Query,
  etag: string | null = null,
): Promise<{ data?: Body; response: Response }> {
  // The lists have different parameters, which the type of a union of lists does not accept.
  return api.GET(`/api/${list}` as '/api/datasets', {
    params: { query, ...(etag !== null && { header: { 'If-None-Match': etag } }) },
  });
}

/** Returns the query of the next page. */
function nextOf(link: string | null): Query | undefined {
  const address = /<([^>]*)>; rel="next"/.exec(link ?? '')?.[1];
  return address === undefined ? undefined : Object.fromEntries(new URL(address, 'http://service').searchParams);
}

function before(instant: string): string {
  return new Date(Date.parse(instant) - overlapMs).toISOString();
}

/** Returns a stored place; the start of a harvest without a state. */
function read(state: string | undefined, start: Place): Place {
  if (state === undefined) return start;
  const place = parse(state);
  if (place?.list !== start.list || JSON.stringify(place.filters) !== JSON.stringify(start.filters)) {
    const origin = place ? `${place.list} with ${JSON.stringify(place.filters)}` : 'another program';
    throw new TypeError(
      `The state is from a harvest of ${origin}, not of ${start.list} with ${JSON.stringify(start.filters)}: keep one state for each list and its filters.`,
    );
  }
  return { ...start, ...place };
}

function parse(state: string): Place | undefined {
  try {
    const place = JSON.parse(state) as Partial<Place> | null;
    return place?.list !== undefined && place.filters !== undefined ? (place as Place) : undefined;
  } catch {
    return undefined;
  }
}
