import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Matches, MaxLength, MinLength } from 'class-validator';
import type { FoundTerm } from './terms.repository.js';

/** The query of a term search. */
export class SearchTerms {
  @ApiProperty({
    ...{ type: 'string', minLength: 1, maxLength: 200, pattern: '\\S', example: 'seizure' },
    description: 'Part of a label, a synonym or an id. Case, accents and surplus spaces are ignored.',
  })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : value))
  @Matches(/^[^\0]*$/, { message: 'search must not contain the character NUL' })
  @MaxLength(200, { message: 'search must have at most 200 characters' })
  @MinLength(1, { message: 'search must not be empty' })
  search = '';

  @ApiProperty({ type: 'integer', minimum: 1, example: 1, description: 'The number of the page, from 1.' })
  @Matches(/^[1-9]\d{0,8}$/, { message: 'page must be a whole number from 1' })
  page!: string;
}

/** A page of terms. */
export interface TermSearchResponse {
  readonly results: readonly FoundTerm[];
  readonly pagination: {
    /** Whether there is a next page. */
    readonly more: boolean;
    readonly page: number;
    /** The number of matches on all pages. */
    readonly total: number;
  };
}
