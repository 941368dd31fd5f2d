import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';

/**
 * The form of a cursor. A cursor may contain a name of 500 characters, and JSON may escape each with six characters.
 */
export const cursorText = /^[\w-]{1,5000}$/;

/** The number of items on a page if the request does not contain `limit`. */
export const defaultLimit = 50;

/** The query parameters of a list that is read in pages. */
export class PageParameters {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: 1000,
    default: defaultLimit,
    description: 'The maximum number of items on the page.',
  })
  @IsOptional()
  @Matches(/^([1-9]\d{0,2}|1000)$/, { message: 'limit must be a whole number from 1 to 1000' })
  limit?: string;

  @ApiPropertyOptional({
    description: 'The `next_cursor` of the previous page. If absent, the first page is returned.',
  })
  @IsOptional()
  @Matches(cursorText, { message: 'cursor must be the next_cursor of the previous page' })
  cursor?: string;
}

/** A page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** The cursor of the next page, or null on the last page. */
  readonly next_cursor: string | null;
}

/** A page of a list, with the number of all items. */
export interface CountedPage<T> extends Page<T> {
  /** The number of items on all pages. */
  readonly total: number;
}

/** The members of a page's response next to its items. */
export abstract class CountedPageResponse {
  @ApiProperty({ type: 'integer', description: 'Number of items on all pages.' })
  total!: number;

  @ApiProperty({ type: String, nullable: true, description: 'The cursor of the next page; null on the last page.' })
  next_cursor!: string | null;
}
