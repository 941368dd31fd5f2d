import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { version } from '../process/version.js';
import type { ListQuery } from './list.query.js';

/** Characters of an answer that are made before the caller must take them. */
const chunkLength = 64 * 1024;

/** The type of an answer of which each line is an item. */
export const linesType = 'application/x-ndjson; charset=utf-8';

/** Whether the caller prefers a line for each item to JSON, which is what a caller without a preference gets. */
export function prefersLines(request: FastifyRequest): boolean {
  return preferredType(request, ['application/json', linesType]) === linesType;
}

/** Returns the type, of those that an answer can have, that the caller prefers; the first one for any and for none. */
export function preferredType<T extends string>(request: FastifyRequest, [first, ...others]: readonly [T, ...T[]]): T {
  const types = new Map([first, ...others].map((type) => [essenceOf(type), type]));
  const [preferred] = new Negotiator(request).mediaTypes([...types.keys()]);
  return types.get(preferred ?? '') ?? first;
}

/** A type without its parameters. */
function essenceOf(type: string): string {
  return type.split(';', 1)[0] ?? type;
}

/** A list that is not made yet: what to look at, and how that becomes items. */
export interface Listing<S, T> {
  /** Another text as soon as anything that is shown is another. */
  readonly version: string;
  readonly asOf: string | null;
  /** What is to be listed, in the order of its keys; only called when the caller does not have the list already. */
  readonly select: () => readonly S[];
  /** What orders the list and names a place in it. */
  readonly keyOf: (subject: S) => string;
  readonly toItem: (subject: S) => T;
}

/**
 * Answers a list as fast as the caller takes it: one page when asked for, with the next in `Link`; as lines when the
 * caller takes `application/x-ndjson`; 304, before anything is made, when the caller has it already.
 */
export async function answerList<S, T>(
  request: FastifyRequest,
  reply: FastifyReply,
  query: ListQuery,
  listing: Listing<S, T>,
): Promise<void> {
  const isLines = prefersLines(request);
  const tag = tagOf(version, listing.version, isLines ? 'lines' : 'json');
  void reply.header('ETag', tag).header('Cache-Control', 'private, no-cache').header('Vary', 'X-API-Key, Accept');
  if (isHeld(request.headers['if-none-match'], tag)) {
    await reply.code(304).send();
    return;
  }
  const selected = listing.select();
  const { page, next } = pageOf(selected, listing.keyOf, query);
  if (next !== null) void reply.header('Link', `<${nextPage(request.originalUrl, next)}>; rel="next"`);
  const items = textsOf(page, listing.toItem);
  if (isLines) {
    void reply.type(linesType);
    await reply.send(Readable.from(inChunks(linesOf(items))));
    return;
  }
  void reply.type('application/json; charset=utf-8');
  const end = `],"total":${String(selected.length)},"as_of":${JSON.stringify(listing.asOf)}}`;
  await reply.send(Readable.from(inChunks(envelopeOf(items, end))));
}

/** Weak, for the moment of the last scan may differ in an answer that is the same otherwise. */
function tagOf(...parts: readonly string[]): string {
  return `W/"${hash('sha256', parts.join(' '), 'base64url').slice(0, 27)}"`;
}

function pageOf<S>(
  selected: readonly S[],
  keyOf: (subject: S) => string,
  { limit, cursor }: ListQuery,
): { readonly page: readonly S[]; readonly next: string | null } {
  const after = cursor === undefined ? null : Buffer.from(cursor, 'base64url').toString();
  const found = after === null ? 0 : selected.findIndex((subject) => keyOf(subject) > after);
  const from = found < 0 ? selected.length : found;
  const page = limit === undefined && from === 0 ? selected : selected.slice(from, limit && from + limit);
  const last = page.at(-1);
  const hasMore = last !== undefined && from + page.length < selected.length;
  return { page, next: hasMore ? Buffer.from(keyOf(last)).toString('base64url') : null };
}

function* textsOf<S>(page: readonly S[], toItem: (subject: S) => unknown): Generator<string> {
  for (const subject of page) yield JSON.stringify(toItem(subject));
}

function* linesOf(items: Iterable<string>): Generator<string> {
  for (const item of items) yield `${item}\n`;
}

function* envelopeOf(items: Iterable<string>, end: string): Generator<string> {
  let before = '{"items":[';
  for (const item of items) {
    yield before + item;
    before = ',';
  }
  yield before === ',' ? end : before + end;
}

function* inChunks(texts: Iterable<string>): Generator<Buffer> {
  let chunk = '';
  for (const text of texts) {
    chunk += text;
    if (chunk.length < chunkLength) continue;
    yield Buffer.from(chunk);
    chunk = '';
  }
  if (chunk !== '') yield Buffer.from(chunk);
}

function isHeld(header: string | undefined, tag: string): boolean {
  const held = (header ?? '').split(',').map((each) => each.trim());
  return held.some((each) => each === '*' || each === tag || `W/${each}` === tag);
}

/** The same address with another cursor, in its shortest form; a key in the query is not repeated. */
export function nextPage(url: string, cursor: string): string {
  const [path = '', query] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.delete('API_KEY');
  parameters.set('cursor', cursor);
  return `${path.replace(/\/{2,}/g, '/')}?${parameters.toString()}`;
}

/** Whether one of the texts holds what is searched for. */
export function containsText(query: string, ...texts: readonly (string | null | undefined)[]): boolean {
  const wanted = query.toLowerCase();
  return texts.some((text) => text?.toLowerCase().includes(wanted));
}
