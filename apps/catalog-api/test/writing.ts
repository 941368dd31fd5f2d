import { readFileSync } from 'node:fs';
import { globalKey, startCatalog, type RunningCatalog } from './catalog.js';

/** A record as it is sent and answered. */
export type Document = Record<string, unknown>;

/** What a call answered. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body; `{}` when there is none. */
  readonly body: Document;
}

/** A catalog that a suite writes to. */
export interface WritableCatalog extends RunningCatalog {
  /** Sends a document, as the holder of the global key unless told otherwise. */
  send(method: string, path: string, document?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** One record or list. */
  read(path: string): Promise<Answer>;
}

/** The sample catalog in the backup form, without its header. */
export const sampleRecords: readonly object[] = readFileSync(
  new URL('../../../sample/catalog.ndjson', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => JSON.parse(line) as object);

/** Starts a catalog to write to. */
export async function startWritableCatalog(settings: Readonly<Record<string, string>> = {}): Promise<WritableCatalog> {
  const catalog = await startCatalog(settings);
  const send: WritableCatalog['send'] = async (method, path, document, headers = {}) => {
    const response = await catalog.fetch(path, {
      method,
      headers: { 'X-API-Key': globalKey, ...headers },
      ...(document !== undefined && { body: typeof document === 'string' ? document : JSON.stringify(document) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? {} : (JSON.parse(text) as Document),
    };
  };
  return { ...catalog, send, read: (path) => send('GET', path) };
}

/** The problems that an answer tells, by field. */
export function problemsIn({ body }: Answer): Record<string, string> {
  const more = body['more'] as { fields?: { field: string; problem: string }[] };
  return Object.fromEntries((more.fields ?? []).map(({ field, problem }) => [field, problem]));
}
