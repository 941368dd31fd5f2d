import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';

/** The form of a cursor. The longest cursor follows the longest name, of which JSON may write each character with six. */
export const cursorText = /^[\w-]{1,5000}$/;

/** Items on one page unless the caller asks for another number. */
export const defaultLimit = 50;

/** How the pages of an administrator's list are asked for. */
export class PageParameters {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: 1000,
    default: defaultLimit,
    description: 'Items on one page.',
  })
  @IsOptional()
  @Matches(/^([1-9]\d{0,2}|1000)$/, { message: 'limit must be a whole number from 1 to 1000' })
  limit?: string;

  @ApiPropertyOptional({ description: 'Where the page begins: `next_cursor` of the page before.' })
  @IsOptional()
  @Matches(cursorText, { message: 'cursor must be the next_cursor of another page' })
  cursor?: string;
}

/** A page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Where the next page begins; null on the last. */
  readonly next_cursor: string | null;
}

/** A page of a list whose length is known. */
export interface CountedPage<T> extends Page<T> {
  /** Items on all pages. */
  readonly total: number;
}
