import { AppError } from '@rdc/errors';
import { maxId } from '../../platform/database/ids.js';
import { tryParseJson } from '../../platform/json/json.js';

/** A place in the order of a feed. Changes are ordered by instant, then by list, then by record. */
export interface Place {
  /** The instant of the change, in microseconds since 1970. */
  readonly at: number;
  /** The position of the list among the lists of the feed. */
  readonly list: number;
  readonly id: number;
}

/** The place up to which a client has read a feed, and what the client had read before. */
export interface ChangesCursor {
  /** A digest of the feed and the views of the caller. */
  readonly source: string;
  readonly place: Place;
  /**
   * The instant of the last change that the client had received when it last reached the end of the feed; in the first
   * read, the instant of the last change when the read began.
   */
  readonly caughtUp: number;
  /** Whether the client has never reached the end of the feed. */
  readonly isFirstRead: boolean;
  /** The time of the response at the last end of the feed, or at the beginning of the first read, in microseconds. */
  readonly readAt: number;
}

/** 410: a feed cannot continue at a cursor, because changes could be missing. */
export class CursorGoneError extends AppError {
  constructor(reason: 'too_old' | 'foreign') {
    const cause = {
      too_old: 'the catalog no longer stores all withdrawals since then',
      foreign: 'the cursor belongs to another caller, another role or another database',
    }[reason];
    super(
      'cursor.gone',
      `The feed cannot continue at this cursor: ${cause}. Send the request without since, read all changes, and remove ` +
        'every record that the answers do not contain.',
      { details: { reason } },
    );
  }
}

/** Returns the text of a cursor, which is opaque to clients. */
export function writeChangesCursor({ source, place, caughtUp, isFirstRead, readAt }: ChangesCursor): string {
  const parts = [source, place.at, place.list, place.id, caughtUp, isFirstRead ? 1 : 0, readAt];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Reads the text of a cursor. @returns undefined if the text is not a cursor of a feed */
export function readChangesCursor(text: string): ChangesCursor | undefined {
  const parts = tryParseJson(Buffer.from(text, 'base64url').toString());
  if (!Array.isArray(parts) || parts.length !== 7) return undefined;
  const [source, ...numbers] = parts as unknown[];
  if (typeof source !== 'string' || !numbers.every((each) => Number.isSafeInteger(each))) return undefined;
  const [at, list, id, caughtUp, isFirstRead, readAt] = numbers as [number, number, number, number, number, number];
  const isInRange = [at, caughtUp, readAt].every((each) => each >= 0) && Math.abs(id) <= maxId;
  if (!isInRange) return undefined;
  return { source, place: { at, list, id }, caughtUp, isFirstRead: isFirstRead === 1, readAt };
}
