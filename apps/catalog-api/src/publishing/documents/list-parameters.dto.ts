import { ApiPropertyOptional } from '@nestjs/swagger';
import { InvalidInputError } from '@rdc/errors';
import { dayOrInstantSchema, isDayOrInstant, utcOf } from '@rdc/http';
import { IsIn, IsOptional, Matches, ValidateBy } from 'class-validator';
import { maxId } from '../../platform/database/ids.js';
import { tryParseJson } from '../../platform/json/json.js';
import { cursorText } from '../../platform/lists/page.dto.js';
import type { Cursor, PageOptions } from './document-query.js';

/** The maximum number of items on a page. */
const maxLimit = 1000;

/** The query parameters of every list. Without `limit`, the response is the whole list. */
export class ListParameters {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: maxLimit,
    description: 'The maximum number of items on a page.',
  })
  @IsOptional()
  @Matches(/^([1-9]\d{0,2}|1000)$/, { message: `limit must be a whole number from 1 to ${String(maxLimit)}` })
  limit?: string;

  @ApiPropertyOptional({ description: 'The start of the page, from the `Link` of the previous page.' })
  @IsOptional()
  @Matches(cursorText, { message: 'cursor must be taken from the Link of another page' })
  cursor?: string;

  @ApiPropertyOptional({
    ...dayOrInstantSchema,
    description: 'Only records that changed at or after this day or instant. The default time zone is UTC.',
  })
  @IsOptional()
  @ValidateBy(
    { name: 'isDayOrInstant', validator: { validate: isDayOrInstant } },
    { message: 'updated_since must be a day or an instant in ISO 8601, e.g. 2026-01-31T08:00:00Z' },
  )
  updated_since?: string;
}

/** The query parameters of every list of records. */
export class RecordListParameters extends ListParameters {
  @ApiPropertyOptional({
    enum: ['updated_at'],
    description:
      'Adds the member `updated_at` to each record: the instant at which the record last changed as the caller sees it.',
  })
  @IsOptional()
  @IsIn(['updated_at'], { message: 'with must be updated_at' })
  with?: string;
}

/** Returns the page that a query requests. @throws InvalidInputError if the cursor is not one of this list */
export function pageOf(query: ListParameters | RecordListParameters, byName = false): PageOptions {
  const { limit, cursor, updated_since } = query;
  return {
    limit: limit === undefined ? undefined : Number(limit),
    after: cursor === undefined ? undefined : readCursor(cursor, byName),
    updatedSince: updated_since === undefined ? undefined : utcOf(updated_since),
    withUpdatedAt: 'with' in query && query.with !== undefined,
  };
}

/** Returns the text of a cursor, which is opaque to clients. */
export function writeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

function readCursor(text: string, byName: boolean): Cursor {
  const cursor = tryParseJson(Buffer.from(text, 'base64url').toString());
  const [key, id] = Array.isArray(cursor) ? (cursor as unknown[]) : [];
  const isKey = typeof key === 'string' && (byName ? !key.includes('\0') : /^\d{1,14}$/.test(key));
  if (!isKey || typeof id !== 'number' || !Number.isInteger(id) || Math.abs(id) > maxId) {
    throw new InvalidInputError([{ field: 'cursor', problem: 'must be taken from the Link of another page' }]);
  }
  return [key, id];
}
