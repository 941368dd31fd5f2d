import createClient, { type Client, type Middleware } from 'openapi-fetch';
import { servicesUrl } from '../place.ts';
import { csrfToken, renewSession, untilSignedIn } from '../session/session.ts';
import type { paths as CatalogPaths } from './generated/catalog-api.ts';
import type { paths as ProvisionerPaths } from './generated/provisioner.ts';
import { Problem, problemOf } from './problem.ts';

/** Codes with which the services say that the session is over, or its short token too old. */
const sessionIsOver = ['key.required', 'session.required', 'session.ended', 'csrf.refused'];

const proveWrites: Middleware = {
  onRequest({ request }) {
    const token = csrfToken();
    if (request.method !== 'GET' && token) request.headers.set('X-CSRF-Token', token);
    return request;
  },
};

/** What is asked for and answered here, where a service could answer in more ways. */
type Media = 'application/json';

/** The catalog's HTTP interface; answers are typed by its OpenAPI description. */
export const catalog: Client<CatalogPaths, Media> = clientOf<CatalogPaths>();

/** The provisioner's, at the same origin. */
export const provisioner: Client<ProvisionerPaths, Media> = clientOf<ProvisionerPaths>();

function clientOf<Paths extends object>(): Client<Paths, Media> {
  const client = createClient<Paths, Media>({ baseUrl: servicesUrl, fetch: send });
  client.use(proveWrites);
  return client;
}

/** Sends a request; one that the session was too old for goes out again once somebody is signed in. */
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

/** What a client's call resolves to. */
interface Answered<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** A body and the tag of the version it shows. */
export interface Tagged<T> {
  readonly data: T;
  readonly etag: string | null;
}

/** The body of an answer. @throws Problem when it tells of one */
export async function bodyOf<T>(call: Promise<Answered<T>>): Promise<T> {
  return (await taggedBodyOf(call)).data;
}

/** The body of an answer, and its `ETag`, to be sent back in `If-Match`. @throws Problem when it tells of one */
export async function taggedBodyOf<T>(call: Promise<Answered<T>>): Promise<Tagged<T>> {
  const { data, error, response } = await call;
  if (!response.ok) throw problemOf(error, response.status);
  return { data: data as T, etag: response.headers.get('etag') };
}
