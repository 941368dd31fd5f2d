import { once } from 'node:events';
import { request as send, type ClientRequest, type IncomingMessage } from 'node:http';
import type { DescribedRoute } from './described-routes.ts';
import { bodyShapes, headShapes, type HostileParts } from './hostile-shapes.ts';

/** Sizes of bodies: the largest that any route accepts, then smaller ones for the other routes. */
const bodySizes = [16 * 1024 * 1024 - 1024, 1024 * 1024 - 1024, 16 * 1024 - 1024] as const;

/** Maximum wait for an answer, in milliseconds. */
const patienceMs = 60_000;

const tooLarge = 413;

/** A system that is attacked, and the caller that attacks it. */
export interface Attacked {
  /** Origin of the service, without a slash at the end. */
  readonly origin: string;
  /** Key of the caller; undefined for a stranger. */
  readonly key: string | undefined;
  /**
   * The id in the path. `0` is the id of no record. With an existing record, requests reach the checks of the change.
   */
  readonly id: string;
}

/** A hostile request that has not been sent. */
export interface HostileRequest {
  /** Name of the shape, e.g. `many members`. */
  readonly shape: string;
  /** Sends the request. @returns status of the answer; 0 if the connection was cut */
  readonly send: () => Promise<number>;
}

/**
 * Yields the hostile requests to a route, by shape, with bodies of the size that the route accepts from this caller.
 *
 * @param turn selects one variant of each shape; if undefined, all variants are yielded
 */
export async function* hostileRequests(
  route: DescribedRoute,
  attacked: Attacked,
  turn?: number,
): AsyncGenerator<HostileRequest> {
  for (const [shape, partsOf] of Object.entries(headShapes)) {
    for (const parts of chosen(partsOf(route.parameters), turn)) {
      yield { shape, send: () => sendParts(route, attacked, parts) };
    }
  }
  const { body } = route;
  if (!body) return;
  const bytes = await limitOf(route, attacked);
  for (const [shape, textsOf] of Object.entries(bodyShapes)) {
    for (const textOf of chosen(textsOf(body, bytes), turn)) {
      const content = Buffer.from(textOf());
      yield { shape, send: () => sendParts(route, attacked, { body: content }) };
    }
  }
}

function chosen<T>(ways: readonly T[], turn: number | undefined): readonly T[] {
  if (turn === undefined) return ways;
  const at = turn % ways.length;
  return ways.slice(at, at + 1);
}

/** Returns the size of the largest body that is not refused as too large. */
async function limitOf(route: DescribedRoute, attacked: Attacked): Promise<number> {
  for (const bytes of bodySizes) {
    if ((await sendParts(route, attacked, { body: Buffer.alloc(bytes, ' ') })) !== tooLarge) return bytes;
  }
  return bodySizes[bodySizes.length - 1] ?? 0;
}

function pathOf({ path }: DescribedRoute, id: string): string {
  const words: Readonly<Record<string, string>> = { category: 'gene', resource: 'projects' };
  return path.replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? id);
}

async function sendParts(
  route: DescribedRoute,
  { origin, key, id }: Attacked,
  { headers = {}, query, body }: HostileParts,
): Promise<number> {
  const url = new URL(`${origin}${pathOf(route, id)}${query === undefined ? '' : `?${query}`}`);
  const sent = send(url, {
    method: route.method,
    agent: false,
    headers: {
      ...headers,
      ...(key !== undefined && { 'X-API-Key': key }),
      ...(body && { 'Content-Type': 'application/json', 'Content-Length': String(body.length) }),
    },
  });
  sent.end(body);
  return statusOf(sent);
}

async function statusOf(sent: ClientRequest): Promise<number> {
  const tooLate = setTimeout(() => sent.destroy(new Error('no answer')), patienceMs);
  try {
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'close');
    return answer.statusCode ?? 0;
  } catch {
    return 0;
  } finally {
    clearTimeout(tooLate);
    sent.on('error', () => undefined).destroy();
  }
}
