import { nextPageLink } from '@rdc/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { version } from '../process/version.js';
import type { ListQuery } from './list.query.js';

/** Size of the chunks in which a response is streamed, in characters. */
const chunkLength = 64 * 1024;

/** The media type of a response with one item in each line. */
export const linesType = 'application/x-ndjson; charset=utf-8';

/** Whether the caller prefers one item in each line to JSON. Without a preference, the response is JSON. */
export function prefersLines(request: FastifyRequest): boolean {
  return preferredType(request, ['application/json', linesType]) === linesType;
}

/** Returns the media type that the caller prefers; the first one if the caller accepts any or none of them. */
export function preferredType<T extends string>(request: FastifyRequest, [first, ...others]: readonly [T, ...T[]]): T {
  const types = new Map([first, ...others].map((type) => [essenceOf(type), type]));
  const [preferred] = new Negotiator(request).mediaTypes([...types.keys()]);
  return types.get(preferred ?? '') ?? first;
}

/** Returns a media type without its parameters. */
function essenceOf(type: string): string {
  return type.split(';', 1)[0] ?? type;
}

/** A list whose items are built while it is sent. */
export interface Listing<S, T> {
  /** Changes whenever any item changes. */
  readonly version: string;
  /** The time of the scan on which the list is based; null before the first scan. */
  readonly asOf: string | null;
  /** Returns the listed subjects, sorted by key. Called only if the caller does not have the current version. */
  readonly select: () => readonly S[];
  /** Returns the sort key of a subject, which also serves as the cursor. */
  readonly keyOf: (subject: S) => string;
  /** Builds the item of a subject. */
  readonly toItem: (subject: S) => T;
}

/** Returns the listing of items that are built already, sorted by key. The version depends on the items only. */
export function listingOf<T>(items: readonly T[], keyOf: (item: T) => string, asOf: string | null): Listing<T, T> {
  const version = hash('sha256', JSON.stringify(items), 'base64url');
  return { version, asOf, select: () => items, keyOf, toItem: (item) => item };
}

/**
 * Streams a list to the caller: as JSON, or as lines if the caller prefers `application/x-ndjson`. With a limit, sends
 * one page and the address of the next page in `Link`. If the caller has the current version, sends 304 without
 * building the list.
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
  if (hasCurrentVersion(request.headers['if-none-match'], tag)) {
    await reply.code(304).send();
    return;
  }
  const selected = listing.select();
  const { page, next } = pageOf(selected, listing.keyOf, query);
  if (next !== null) void reply.header('Link', nextPageLink(request, next));
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

/** Returns a weak tag, because responses with equal items may differ in the time of the scan. */
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

function hasCurrentVersion(header: string | undefined, tag: string): boolean {
  const tags = (header ?? '').split(',').map((each) => each.trim());
  return tags.some((each) => each === '*' || each === tag || `W/${each}` === tag);
}

/** Whether any of the texts contains the search text, ignoring case. */
export function containsText(query: string, ...texts: readonly (string | null | undefined)[]): boolean {
  const lowerCased = query.toLowerCase();
  return texts.some((text) => text?.toLowerCase().includes(lowerCased));
}
