import type { ClientOptions, Middleware } from 'openapi-fetch';
import { ApiError } from './errors.js';
import { defaultPolicy, retrying, type RetryPolicy } from './retries.js';

/** The options of a client. */
export interface ConnectionOptions {
  /** The key, which is sent as `X-API-Key`. Without a key, the catalog returns public records. */
  readonly key?: string | undefined;
  /** The bounds of the retries, if they differ from the default. */
  readonly retries?: Partial<RetryPolicy>;
  /** The function that sends requests. By default, the `fetch` of the platform. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** Returns the options of an `openapi-fetch` client that sends the key and repeats requests. */
export function connectionTo(
  url: string,
  { key, retries, fetch = globalThis.fetch }: ConnectionOptions,
): ClientOptions {
  if (!/^https?:\/\//.test(url)) {
    throw new TypeError(`${url} is not the address of a service: it must begin with http:// or https://.`);
  }
  return {
    baseUrl: url.replace(/\/+$/, ''),
    fetch: retrying((request) => fetch(request), { ...defaultPolicy, ...retries }),
    headers: key === undefined ? {} : { 'X-API-Key': key },
  };
}

/** The middleware that throws an {@link ApiError} for each error response. A 304 is no error. */
export const throwingErrors: Middleware = {
  async onResponse({ request, response }) {
    if (response.status >= 400) throw new ApiError(request.method, response, await response.text());
  },
};
