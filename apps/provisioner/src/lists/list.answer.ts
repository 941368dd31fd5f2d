import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import type { ListQuery } from './list.query.js';

/** A list before it is paged. */
export interface FullList<T> {
  readonly items: readonly T[];
  /** What orders the list and names a place in it; unique. */
  readonly keyOf: (item: T) => string;
  readonly asOf: string | null;
}

/**
 * Answers a list: one page when asked for, with the next in `Link`; as lines when the caller takes
 * `application/x-ndjson`; 304 when the caller has it already.
 */
export async function answerList<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  { limit, cursor }: ListQuery,
  { items, keyOf, asOf }: FullList<T>,
): Promise<void> {
  const after = cursor === undefined ? null : Buffer.from(cursor, 'base64url').toString();
  const rest = after === null ? items : items.filter((item) => keyOf(item) > after);
  const page = limit === undefined ? rest : rest.slice(0, limit);
  const last = page.at(-1);
  const next = last !== undefined && page.length < rest.length ? Buffer.from(keyOf(last)).toString('base64url') : null;
  const isLines = (request.headers.accept ?? '').includes('application/x-ndjson');
  const lines = page.map((item) => JSON.stringify(item));
  const body = isLines ? lines.map((line) => `${line}\n`).join('') : `[${lines.join(',')}]`;
  const tag = `"${createHash('sha256')
    .update(`${String(items.length)} ${next ?? ''} ${body}`)
    .digest('base64url')
    .slice(0, 27)}"`;
  void reply.header('ETag', tag).header('Cache-Control', 'private, no-cache').header('Vary', 'X-API-Key, Accept');
  if (next !== null) void reply.header('Link', `<${nextPage(request.url, next)}>; rel="next"`);
  if (isHeld(request.headers['if-none-match'], tag)) {
    await reply.code(304).send();
    return;
  }
  if (isLines) {
    await reply.type('application/x-ndjson; charset=utf-8').send(body);
    return;
  }
  const envelope = `{"items":${body},"total":${String(items.length)},"as_of":${JSON.stringify(asOf)}}`;
  await reply.type('application/json; charset=utf-8').send(envelope);
}

function isHeld(header: string | undefined, tag: string): boolean {
  const held = (header ?? '').split(',').map((each) => each.trim().replace(/^W\//, ''));
  return held.includes(tag) || held.includes('*');
}

/** The same address with another cursor; a key in the query is not repeated. */
function nextPage(url: string, cursor: string): string {
  const next = new URL(url, 'http://localhost');
  next.searchParams.delete('API_KEY');
  next.searchParams.set('cursor', cursor);
  return `${next.pathname}${next.search}`;
}

/** Whether an item's texts hold what is searched for; everything does when nothing is. */
export function holds(query: string | undefined, ...texts: readonly (string | null)[]): boolean {
  if (query === undefined) return true;
  const wanted = query.toLowerCase();
  return texts.some((text) => text?.toLowerCase().includes(wanted));
}
