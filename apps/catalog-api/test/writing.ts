import { readFileSync } from 'node:fs';
import { globalKey, startCatalog, type RunningCatalog } from './catalog.js';

/** A record in a request or response. */
export type Document = Record<string, unknown>;

/** A response. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body; `{}` if the body is empty. */
  readonly body: Document;
}

/** A catalog to which a suite writes. */
export interface WritableCatalog extends RunningCatalog {
  /** Sends a document. The headers default to the global key. */
  send(method: string, path: string, document?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Reads a record or a list. */
  read(path: string): Promise<Answer>;
}

/** The records of the sample catalog in the backup format, without the header. */
export const sampleRecords: readonly object[] = readFileSync(
  new URL('../../../sample/catalog.ndjson', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => JSON.parse(line) as object);

/** Starts an empty catalog to which a suite writes. */
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

/** Returns the problems in a response, by field. */
export function problemsIn({ body }: Answer): Record<string, string> {
  const more = body['more'] as { fields?: { field: string; problem: string }[] };
  return Object.fromEntries((more.fields ?? []).map(({ field, problem }) => [field, problem]));
}
