import type { Readable } from 'node:stream';
import type { Cursor } from './document-query.js';

/** The headers of JSON that depends on the key of the caller. No shared cache may store the response. */
export const privateJson = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'private, no-cache',
  Vary: 'X-API-Key, Cookie',
} as const;

/** A response that is read from stored documents. */
interface StoredResponse<Body> {
  readonly etag: string;
  /** The other headers: `Content-Type`, `Cache-Control` and `Vary`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if the caller already has the response. */
  readonly body: Body | undefined;
}

/** A list as a stream, or one page of a list as text. */
export interface StreamedList extends StoredResponse<Readable | string> {
  /** The start of the next page, if there is one. */
  readonly next?: Cursor | undefined;
}

/** One record as text. */
export type StoredDocument = StoredResponse<string>;
