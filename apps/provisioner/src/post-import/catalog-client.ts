/** How long the catalog may take for one answer. */
const timeoutMs = 10_000;

/** A copy of a dataset, as a record of the catalog names it. */
export interface StorageEntry {
  readonly platform: string;
  readonly location: string;
  readonly category: 'master';
}

/** What came of telling the catalog. */
export type NotifyResult =
  { readonly state: 'recorded' | 'drafted' | 'unknown' } | { readonly state: 'refused'; readonly why: string };

/** The catalog does not answer, or not us: everything is to be tried again later. */
export class CatalogUnavailableError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'CatalogUnavailableError';
  }
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Writes to the catalog over its HTTP interface, with a service key that reads no records. */
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
   * Records where a dataset lies. Doing it twice changes nothing.
   *
   * @param id the dataset's `external_id`
   * @throws CatalogUnavailableError
   */
  async record(id: string, entry: StorageEntry): Promise<NotifyResult> {
    if (isNumber(id)) return { state: 'unknown' };
    const answer = await this.call('POST', pathOf(id), entry);
    if (answer.status < 300) return { state: 'recorded' };
    if (!isUnknown(answer)) return refusal(answer);
    return this.makesDrafts ? this.draft(id, entry) : { state: 'unknown' };
  }

  /** Takes out of a dataset's record that it lies there. Doing it twice changes nothing. @throws CatalogUnavailableError */
  async remove(id: string, { platform, location }: StorageEntry): Promise<NotifyResult> {
    if (isNumber(id)) return { state: 'unknown' };
    const named = new URLSearchParams({ platform, location }).toString();
    const answer = await this.call('DELETE', `${pathOf(id)}?${named}`);
    if (answer.status < 300) return { state: 'recorded' };
    return isUnknown(answer) ? { state: 'unknown' } : refusal(answer);
  }

  private async draft(id: string, entry: StorageEntry): Promise<NotifyResult> {
    const record = { external_id: id, name: id, storages: [entry] };
    const made = await this.call('POST', '/api/datasets?create_missing=true', record);
    return made.status < 300 ? { state: 'drafted' } : refusal(made);
  }

  private async call(method: string, path: string, body?: object): Promise<Answer> {
    try {
      const response = await fetch(this.url.replace(/\/$/, '') + path, {
        method,
        headers: {
          'X-API-Key': this.key,
          Accept: 'application/json',
          ...(body && { 'Content-Type': 'application/json' }),
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
      return { status, body: text === '' ? null : (JSON.parse(text) as unknown) };
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

function pathOf(id: string): string {
  return `/api/datasets/${encodeURIComponent(id)}/storages`;
}

/** Whether the catalog has no such dataset. A catalog that has no such path is too old, and refuses. */
function isUnknown({ status, body }: Answer): boolean {
  const { more } = (body ?? {}) as { readonly more?: { readonly code?: string } };
  return status === 404 && more?.code === 'record.unknown';
}

function refusal({ status, body }: Answer): NotifyResult {
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
