import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, Matches, MaxLength } from 'class-validator';
import { sql, type Sql } from '../database/sql.js';

/** Declares a query parameter with text to search for, ignoring case and accents. */
export function SearchText(description: string, { required = false } = {}): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: String,
      description: `${description} Case and accents are ignored.`,
      maxLength: 200,
      required,
    }),
    ...(required ? [] : [IsOptional()]),
    Matches(/^[^\0]*$/, { message: '$property must not contain the character NUL' }),
    MaxLength(200, { message: '$property must have at most 200 characters' }),
  );
}

/**
 * Returns a `LIKE` pattern that matches every `search_form` that contains the text. Wildcards in the text are escaped.
 */
export function containsPattern(text: string): Sql {
  return sql`'%' || ${likePattern(sql`search_form(${text.trim()}::text)`)} || '%'`;
}

/** Returns a `LIKE` pattern that matches the value of an expression. Wildcards in the value are escaped. */
export function likePattern(form: Sql): Sql {
  return sql`replace(replace(replace(${form}, '\\', '\\\\'), '%', '\\%'), '_', '\\_')`;
}
