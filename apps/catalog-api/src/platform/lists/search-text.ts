import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Matches, MaxLength } from 'class-validator';
import { sql, type Sql } from '../database/sql.js';

/** A query parameter with text to look for; case and accents do not count. */
export function SearchText(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ description: `${description} Case and accents do not count.`, maxLength: 200 }),
    IsOptional(),
    Matches(/^[^\0]*$/, { message: '$property must not hold the character NUL' }),
    MaxLength(200, { message: '$property must have at most 200 characters' }),
  );
}

/** A pattern of `LIKE` for whatever holds this text in `search_form`, each of its characters standing for itself. */
export function containsPattern(text: string): Sql {
  const form = sql`search_form(${text.trim()}::text)`;
  return sql`'%' || replace(replace(replace(${form}, '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%'`;
}
