import { httpCall, type HttpAnswer } from './http-call.ts';

/** The members of an OpenAPI document that a walk over its operations reads. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
}

export interface OpenApiOperation {
  /** Ways to identify the caller; the key if there are none. */
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
}

/** An operation of an OpenAPI document. */
export interface WalkedOperation {
  /** In capital letters. */
  readonly method: string;
  /** The template, such as `/api/projects/{id}`. */
  readonly path: string;
  readonly operation: OpenApiOperation;
}

/** Returns every operation of a document. */
export function operationsOf({ paths }: OpenApiDocument): readonly WalkedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** Returns a query of all parameters that an operation lists, each with a value that none takes. */
export function queryOf({ parameters = [] }: OpenApiOperation): string {
  const named = parameters.filter((parameter) => parameter.in === 'query');
  return named.map(({ name }) => `${name}=%C3%A9`).join('&');
}

/** Headers that differ between any two answers, and headers about the transfer of a body. */
const passing = ['date', 'x-request-id', 'transfer-encoding', 'connection', 'keep-alive', 'set-cookie'];

/**
 * Compares HEAD with GET at one address, header by header (RFC 9110, section 9.3.2), also for conditional requests.
 * Compares the headers of a 304 with those of the corresponding 200 (section 15.4.5).
 *
 * @returns a sentence for each difference
 */
export async function headFaults(
  port: number,
  path: string,
  sent: Readonly<Record<string, string>>,
  ignored: readonly string[] = [],
): Promise<string[]> {
  const get = await httpCall(port, 'GET', path, { headers: sent });
  const faults = differences(get, await httpCall(port, 'HEAD', path, { headers: sent }), ignored);
  const { etag } = get.headers;
  if (etag !== undefined) {
    const again = { ...sent, 'If-None-Match': etag };
    const held = await httpCall(port, 'GET', path, { headers: again });
    if (held.status !== 304) faults.push(`${String(held.status)} instead of 304`);
    for (const name of ['etag', 'vary', 'cache-control', 'access-control-allow-origin']) {
      const [was, is] = [get, held].map(({ headers }) => withoutEncoding(String(headers[name])));
      if (was !== is) faults.push(`304 with ${name}: ${String(is)}, 200 with ${String(was)}`);
    }
    if (held.headers['content-length'] !== undefined) faults.push('304 with Content-Length');
    faults.push(...differences(held, await httpCall(port, 'HEAD', path, { headers: again }), ignored));
  }
  return faults.map((fault) => `${path} ${JSON.stringify(sent)}: ${fault}`);
}

function differences(get: HttpAnswer, head: HttpAnswer, ignored: readonly string[]): string[] {
  // An answer without a body may omit the length.
  const isLeftOut = get.headers['content-length'] === '0' && head.headers['content-length'] === undefined;
  const skipped = [...passing, ...ignored, ...(isLeftOut ? ['content-length'] : [])];
  const names = new Set([...Object.keys(get.headers), ...Object.keys(head.headers)]);
  const faults = [...names]
    .filter((name) => !skipped.includes(name) && String(get.headers[name]) !== String(head.headers[name]))
    .map((name) => `${name}: GET ${String(get.headers[name])}, HEAD ${String(head.headers[name])}`);
  if (get.status !== head.status) faults.push(`GET ${String(get.status)}, HEAD ${String(head.status)}`);
  if (head.body !== '') faults.push('HEAD has a body');
  return faults;
}

/** Returns `Vary` without the encoding, which only compressed answers name. */
function withoutEncoding(vary: string): string {
  return vary.replace(/(, )?accept-encoding/i, '').replace(/^$/, 'undefined');
}
