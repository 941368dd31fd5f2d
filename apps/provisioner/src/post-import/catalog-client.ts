import type { SubjectKind } from '../model/identifier.js';

const timeoutMs = 10_000;

/** A copy of a dataset in the form of a catalog record. */
export interface StorageEntry {
  readonly platform: string;
  readonly location: string;
  readonly category: 'master';
}

/** The size of an imported dataset. */
export interface StoredSize {
  readonly bytes: number;
  readonly files: number;
}

/** The ending of an import or a verification, which the catalog sends to its subscribers. */
export interface EndingReport {
  readonly type: 'import.finished' | 'import.rejected' | 'import.failed' | 'verification.failed';
  readonly import_id: string;
  readonly attempt: number;
  readonly kind: SubjectKind;
  /** The id of the dataset or submission. */
  readonly id: string;
  /** The code of the failure; null if the import finished. */
  readonly code: string | null;
  readonly finished_at: string;
}

/** The result of a notification of the catalog. `unknown` means that the catalog has no such dataset. */
export type NotifyResult =
  { readonly state: 'recorded' | 'drafted' | 'unknown' } | { readonly state: 'refused'; readonly reason: string };

/** The catalog is unreachable or does not accept the service key. All notifications are retried later. */
export class CatalogUnavailableError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'CatalogUnavailableError';
  }
}

interface CatalogResponse {
  readonly status: number;
  readonly body: unknown;
}

/** A client of the catalog's HTTP interface. Its service key cannot read records. */
export class CatalogClient {
  /**
   * @param url the address of the catalog, without `/api`
   * @param createsDrafts whether a dataset that is missing in the catalog is recorded there as a draft
   */
  constructor(
    private readonly url: string,
    private readonly key: string,
    private readonly createsDrafts: boolean,
  ) {}

  /**
   * Records the location and the size of a dataset. The method may be called again with the same effect.
   *
   * @param id the `external_id` of the dataset
   * @throws CatalogUnavailableError if the catalog does not answer or fails
   */
  async record(id: string, entry: StorageEntry, size: StoredSize): Promise<NotifyResult> {
    if (isCatalogNumber(id)) return { state: 'unknown' };
    const response = await this.request('POST', pathOf(id), { ...entry, ...size });
    if (response.status < 300) return { state: 'recorded' };
    if (!isUnknown(response)) return refusalOf(response);
    return this.createsDrafts ? this.createDraft(id, entry, size) : { state: 'unknown' };
  }

  /**
   * Removes the location of a dataset. The method may be called again with the same effect.
   *
   * @throws CatalogUnavailableError if the catalog does not answer or fails
   */
  async remove(id: string, { platform, location }: StorageEntry): Promise<NotifyResult> {
    if (isCatalogNumber(id)) return { state: 'unknown' };
    const query = new URLSearchParams({ platform, location }).toString();
    const response = await this.request('DELETE', `${pathOf(id)}?${query}`);
    if (response.status < 300) return { state: 'recorded' };
    return isUnknown(response) ? { state: 'unknown' } : refusalOf(response);
  }

  /**
   * Reports the ending of an import. The method may be called again with the same effect.
   *
   * @throws CatalogUnavailableError if the catalog does not answer, fails, or is of a release without this interface
   */
  async report(ending: EndingReport): Promise<NotifyResult> {
    const response = await this.request('POST', '/api/import-events', ending);
    if (response.status === 404)
      throw new CatalogUnavailableError('The catalog has no interface for endings: update it.');
    return response.status < 300 ? { state: 'recorded' } : refusalOf(response);
  }

  private async createDraft(id: string, entry: StorageEntry, size: StoredSize): Promise<NotifyResult> {
    const record = { external_id: id, name: id, storages: [entry], metadata: { stored_size: size } };
    const response = await this.request('POST', '/api/datasets?create_missing=true', record);
    return response.status < 300 ? { state: 'drafted' } : refusalOf(response);
  }

  private async request(method: string, path: string, body?: object): Promise<CatalogResponse> {
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
          `The catalog answered ${String(status)} to ${method} ${path}: ${descriptionOf(text)}`,
        );
      }
      return { status, body: text === '' ? null : (JSON.parse(text) as unknown) };
    } catch (error) {
      if (error instanceof CatalogUnavailableError) throw error;
      throw new CatalogUnavailableError(`The catalog is unreachable: ${(error as Error).message}`, error);
    }
  }
}

/** Returns whether the catalog would read an id as the number of a record. */
function isCatalogNumber(id: string): boolean {
  return /^\d+$/.test(id);
}

function pathOf(id: string): string {
  return `/api/datasets/${encodeURIComponent(id)}/storages`;
}

/** Returns whether the catalog has no such dataset. A 404 without the code comes from a catalog without this interface. */
function isUnknown({ status, body }: CatalogResponse): boolean {
  const { more } = (body ?? {}) as { readonly more?: { readonly code?: string } };
  return status === 404 && more?.code === 'record.unknown';
}

function refusalOf({ status, body }: CatalogResponse): NotifyResult {
  const reason = `The catalog answered ${String(status)}: ${descriptionOf(JSON.stringify(body))}`;
  return { state: 'refused', reason };
}

/** Returns the description in an error response of the catalog, or an empty text. */
function descriptionOf(text: string): string {
  try {
    return (JSON.parse(text) as { description?: string } | null)?.description ?? '';
  } catch {
    return '';
  }
}
