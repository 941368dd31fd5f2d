import { ApiPropertyOptional } from '@nestjs/swagger';
import { InvalidInputError } from '@rdc/errors';
import { isDayOrInstant, utcOf } from '@rdc/http';
import { IsOptional, Matches, ValidateBy } from 'class-validator';
import { maxId } from '../../platform/database/ids.js';
import { tryParseJson } from '../../platform/json/json.js';
import { cursorText } from '../../platform/lists/page.dto.js';
import type { Cursor, PageOptions } from './document-query.js';

/** Items on one page at most. */
const maxLimit = 1000;

/** The query parameters that every list takes. Without any of them the whole list is sent. */
export class ListParameters {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: maxLimit, description: 'Items on one page.' })
  @IsOptional()
  @Matches(/^([1-9]\d{0,2}|1000)$/, { message: `limit must be a whole number from 1 to ${String(maxLimit)}` })
  limit?: string;

  @ApiPropertyOptional({ description: 'Where the page begins: taken from the `Link` of the page before.' })
  @IsOptional()
  @Matches(cursorText, { message: 'cursor must be taken from the Link of another page' })
  cursor?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Only what changed at this day or instant or later; in UTC where it names no offset.',
  })
  @IsOptional()
  @ValidateBy(
    { name: 'isDayOrInstant', validator: { validate: isDayOrInstant } },
    { message: 'updated_since must be a day or an instant in ISO 8601, e.g. 2026-01-31T08:00:00Z' },
  )
  updated_since?: string;
}

/** The page that a query asks for. @throws InvalidInputError when the cursor is not one of ours for this list */
export function pageOf({ limit, cursor, updated_since }: ListParameters, byName = false): PageOptions {
  return {
    limit: limit === undefined ? undefined : Number(limit),
    after: cursor === undefined ? undefined : readCursor(cursor, byName),
    updatedSince: updated_since === undefined ? undefined : utcOf(updated_since),
  };
}

/** The opaque text of a cursor. */
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
