import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import { InvalidInputError } from '@rdc/errors';
import { digestOf } from '../../publishing/documents/entity-tag.js';
import { DocumentsSettings } from '../../publishing/documents/documents.settings.js';
import { Visibility } from '../../publishing/visibility/visibility.js';
import {
  CursorGoneError,
  readChangesCursor,
  writeChangesCursor,
  type ChangesCursor,
  type Place,
} from './changes-cursor.js';
import { defaultChanges, type ChangeResponse, type ChangesResponse, type SearchChanges } from './changes.dto.js';
import { ChangesRepository, feedLists, type ChangeRow, type FeedPage, type FeedViews } from './changes.repository.js';

/** The place before every change. */
const beginning: Place = { at: 0, list: 0, id: 0 };

/** Reads the changes of the records that a caller sees. */
@Injectable()
export class ChangesService {
  private readonly days: number;

  constructor(
    private readonly visibility: Visibility,
    private readonly repository: ChangesRepository,
    settings: DocumentsSettings,
  ) {
    this.days = settings.WITHDRAWN_RETENTION_DAYS;
  }

  /**
   * Returns the changes after a cursor, of the records that the caller sees or saw.
   *
   * @throws InvalidInputError if `since` is not a cursor
   * @throws CursorGoneError if changes after the cursor may be missing
   */
  async read(caller: Principal, { since, limit = String(defaultChanges) }: SearchChanges): Promise<ChangesResponse> {
    const views = feedLists.map((list) => this.visibility.view(caller, list));
    if (since === 'now') return this.readEnd(views);
    const size = Number(limit);
    const cursor = since === undefined ? undefined : cursorOf(since);
    const page = await this.repository.read(views, cursor?.place ?? beginning, size + 1, this.days);
    const start = cursor ? checked(cursor, page, views) : firstCursor(page, views);
    const rows = page.rows.slice(0, size);
    const place = rows.at(-1) ?? start.place;
    const has_more = page.rows.length > size;
    const next = has_more ? { ...start, place } : caughtUpAt(start, place, page);
    return { items: itemsAfter(start, rows), cursor: writeChangesCursor(next), has_more };
  }

  /** Returns the cursor of the end of the feed. */
  private async readEnd(views: FeedViews): Promise<ChangesResponse> {
    const page = await this.repository.read(views, beginning, 0, this.days);
    const end = { at: page.last, list: feedLists.length, id: 0 };
    return { items: [], cursor: writeChangesCursor(caughtUpAt(firstCursor(page, views), end, page)), has_more: false };
  }
}

function cursorOf(text: string): ChangesCursor {
  const cursor = readChangesCursor(text);
  if (cursor) return cursor;
  throw new InvalidInputError([
    { field: 'since', problem: 'must be the cursor of another response of /api/changes, or now' },
  ]);
}

/** Returns a cursor that the feed can continue at. @throws CursorGoneError if changes after the cursor may be missing */
function checked(cursor: ChangesCursor, page: FeedPage, views: FeedViews): ChangesCursor {
  if (cursor.source !== sourceOf(page, views)) throw new CursorGoneError('foreign');
  if (cursor.readAt < page.complete_since) throw new CursorGoneError('too_old');
  return cursor;
}

function firstCursor(page: FeedPage, views: FeedViews): ChangesCursor {
  const source = sourceOf(page, views);
  return { source, place: beginning, caughtUp: page.last, isFirstRead: true, readAt: page.now };
}

function caughtUpAt(cursor: ChangesCursor, { at, list, id }: Place, { now }: FeedPage): ChangesCursor {
  return { ...cursor, place: { at, list, id }, caughtUp: at, isFirstRead: false, readAt: now };
}

/** A cursor is valid in one feed and for the views of one caller. */
function sourceOf({ feed }: FeedPage, views: FeedViews): string {
  return digestOf(JSON.stringify([feed, ...views]));
}

/** Returns the changes that a client needs. The first read needs no withdrawals from the time before it began. */
function itemsAfter({ caughtUp, isFirstRead }: ChangesCursor, rows: readonly ChangeRow[]): ChangeResponse[] {
  const isNeeded = ({ withdrawn, at }: ChangeRow): boolean => !withdrawn || at > caughtUp;
  return rows.filter(isNeeded).map((row) => {
    const isNew = isFirstRead || row.seen_since > caughtUp;
    return {
      event: row.withdrawn ? 'withdrawn' : isNew ? 'created' : 'changed',
      list: feedLists[row.list] ?? feedLists[0],
      id_at_source: String(row.id),
      external_id: row.external_id,
      changed_at: row.changed_at,
    };
  });
}
