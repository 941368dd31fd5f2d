import createClient, { type Client, type Middleware } from 'openapi-fetch';
import { servicesUrl } from '../place.ts';
import { csrfToken, renewSession, untilSignedIn } from '../session/session.ts';
import type { paths as CatalogPaths } from './generated/catalog-api.ts';
import type { paths as ProvisionerPaths } from './generated/provisioner.ts';
import { Problem, problemOf } from './problem.ts';

/** Codes of responses that report an ended session or a rejected CSRF token. */
const sessionIsOver = ['key.required', 'session.required', 'session.ended', 'csrf.refused'];

const proveWrites: Middleware = {
  onRequest({ request }) {
    const token = csrfToken();
    if (request.method !== 'GET' && token) request.headers.set('X-CSRF-Token', token);
    return request;
  },
};

/** The only media type that the console requests. */
type Media = 'application/json';

/** A client of the catalog's HTTP interface, typed by its OpenAPI description. */
export const catalog: Client<CatalogPaths, Media> = clientOf<CatalogPaths>();

/** A client of the provisioner's HTTP interface, which has the same origin. */
export const provisioner: Client<ProvisionerPaths, Media> = clientOf<ProvisionerPaths>();

function clientOf<Paths extends object>(): Client<Paths, Media> {
  const client = createClient<Paths, Media>({ baseUrl: servicesUrl, fetch: send });
  client.use(proveWrites);
  return client;
}

/**
 * Sends a request. If the session or its token is no longer valid, renews the session or waits for a sign-in, and
 * repeats the request.
 */
async function send(request: Request): Promise<Response> {
  const again = request.clone();
  const answer = await reach(request);
  if (answer.status !== 403) return answer;
  const { code } = problemOf(
    await answer
      .clone()
      .json()
      .catch(() => null),
    403,
  );
  if (!sessionIsOver.includes(code)) return answer;
  if (!(await renewSession())) await untilSignedIn();
  const token = csrfToken();
  if (again.method !== 'GET' && token) again.headers.set('X-CSRF-Token', token);
  return reach(again);
}

async function reach(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (cause) {
    if (request.signal.aborted) throw cause;
    throw new Problem('The service cannot be reached. Check the connection and try again.', 'unreachable', { cause });
  }
}

/** The result of a client's call. */
interface Answered<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** A response body and its `ETag`, to be sent back in `If-Match`. */
export interface Tagged<T> {
  readonly data: T;
  readonly etag: string | null;
}

/** Returns the body of a response. @throws Problem if the request failed */
export async function bodyOf<T>(call: Promise<Answered<T>>): Promise<T> {
  return (await taggedBodyOf(call)).data;
}

/** Returns the body of a response and its `ETag`. @throws Problem if the request failed */
export async function taggedBodyOf<T>(call: Promise<Answered<T>>): Promise<Tagged<T>> {
  const { data, error, response } = await call;
  if (!response.ok) throw problemOf(error, response.status);
  return { data: data as T, etag: response.headers.get('etag') };
}
