/** How long the catalog may take for one answer. */
const timeoutMs = 10_000;

/** Times a write is tried anew because somebody else has written the record meanwhile. */
const maxConflicts = 5;

/** A copy of a dataset, as a record of the catalog names it. */
export interface StorageEntry {
  readonly platform: string;
  readonly location: string;
  readonly category: 'master';
}

/** What came of telling the catalog. */
export type Told =
  { readonly state: 'recorded' | 'drafted' | 'unknown' } | { readonly state: 'refused'; readonly why: string };

/** The catalog does not answer, or not us: everything is to be tried again later. */
export class CatalogUnavailableError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'CatalogUnavailableError';
  }
}

type Storages = readonly StorageEntry[];

interface Answer {
  readonly status: number;
  readonly etag: string | null;
  readonly body: unknown;
}

/** Writes to the catalog over its HTTP interface, with its global key. */
export class CatalogClient {
  /**
   * @param url of the catalog, without `/api`
   * @param makesDrafts whether a dataset that the catalog does not know is recorded there, unpublished
   */
  constructor(
    private readonly url: string,
    private readonly key: string,
    private readonly makesDrafts: boolean,
  ) {}

  /**
   * Records where a dataset lies, unless its record says so already. What else the record holds stays.
   *
   * @param id the dataset's `external_id`
   * @throws CatalogUnavailableError
   */
  async record(id: string, entry: StorageEntry): Promise<Told> {
    const told = await this.rewrite(id, (storages) =>
      storages.some((each) => isSame(each, entry)) ? storages : [...storages, entry],
    );
    return told.state === 'unknown' && this.makesDrafts && !isNumber(id) ? this.draft(id, entry) : told;
  }

  /** Takes out of a dataset's record that it lies there, if the record says so. @throws CatalogUnavailableError */
  forget(id: string, entry: StorageEntry): Promise<Told> {
    return this.rewrite(id, (storages) => {
      const others = storages.filter((each) => !isSame(each, entry));
      return others.length < storages.length ? others : storages;
    });
  }

  /** Writes what becomes of a record's list; nothing where it stays the same one. */
  private async rewrite(id: string, become: (storages: Storages) => Storages): Promise<Told> {
    if (isNumber(id)) return { state: 'unknown' };
    const path = `/api/datasets/${encodeURIComponent(id)}`;
    for (let conflicts = 0; conflicts < maxConflicts; conflicts += 1) {
      const found = await this.call('GET', path);
      if (found.status === 404) return { state: 'unknown' };
      if (found.status !== 200) return refusal(found);
      const { storages: former = [] } = found.body as { readonly storages?: Storages };
      const storages = become(former);
      if (storages === former) return { state: 'recorded' };
      const written = await this.call('PATCH', `${path}?create_missing=true`, { storages }, found.etag);
      if (written.status < 300) return { state: 'recorded' };
      if (written.status !== 412) return refusal(written);
    }
    throw new CatalogUnavailableError(`${id} is being written by somebody else all the time.`);
  }

  private async draft(id: string, entry: StorageEntry): Promise<Told> {
    const record = { external_id: id, name: id, storages: [entry] };
    const made = await this.call('POST', '/api/datasets?create_missing=true', record);
    return made.status < 300 ? { state: 'drafted' } : refusal(made);
  }

  private async call(method: string, path: string, body?: object, ifMatch?: string | null): Promise<Answer> {
    try {
      const response = await fetch(this.url.replace(/\/$/, '') + path, {
        method,
        headers: {
          'X-API-Key': this.key,
          Accept: 'application/json',
          ...(body && { 'Content-Type': 'application/json' }),
          ...(ifMatch != null && { 'If-Match': ifMatch }),
        },
        signal: AbortSignal.timeout(timeoutMs),
        ...(body && { body: JSON.stringify(body) }),
      });
      const { status } = response;
      const text = await response.text();
      if ([401, 403, 408, 429].includes(status) || status >= 500) {
        throw new CatalogUnavailableError(
          `The catalog answers ${String(status)} to ${method} ${path}: ${descriptionOf(text)}`,
        );
      }
      return { status, etag: response.headers.get('etag'), body: text === '' ? null : (JSON.parse(text) as unknown) };
    } catch (error) {
      if (error instanceof CatalogUnavailableError) throw error;
      throw new CatalogUnavailableError(`The catalog does not answer: ${(error as Error).message}`, error);
    }
  }
}

/** Digits alone are a number of the catalog's own there, and never an accession. */
function isNumber(id: string): boolean {
  return /^\d+$/.test(id);
}

function isSame(one: StorageEntry, other: StorageEntry): boolean {
  return one.platform === other.platform && one.location === other.location;
}

function refusal({ status, body }: Answer): Told {
  return { state: 'refused', why: `The catalog answers ${String(status)}: ${descriptionOf(JSON.stringify(body))}` };
}

/** The sentence of the catalog's error envelope. */
function descriptionOf(text: string): string {
  try {
    return (JSON.parse(text) as { description?: string } | null)?.description ?? '';
  } catch {
    return '';
  }
}
