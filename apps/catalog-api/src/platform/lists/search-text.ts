import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Matches, MaxLength } from 'class-validator';
import { sql, type Sql } from '../database/sql.js';

/** Declares a query parameter with text to search for, ignoring case and accents. */
export function SearchText(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ description: `${description} Case and accents are ignored.`, maxLength: 200 }),
    IsOptional(),
    Matches(/^[^\0]*$/, { message: '$property must not contain the character NUL' }),
    MaxLength(200, { message: '$property must have at most 200 characters' }),
  );
}

/**
 * Returns a `LIKE` pattern that matches every `search_form` that contains the text. Wildcards in the text are escaped.
 */
export function containsPattern(text: string): Sql {
  const form = sql`search_form(${text.trim()}::text)`;
  return sql`'%' || replace(replace(replace(${form}, '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%'`;
}
