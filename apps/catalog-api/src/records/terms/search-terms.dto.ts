import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Matches, MaxLength, MinLength } from 'class-validator';

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

/** A term in search results. */
export class FoundTerm {
  @ApiProperty({ type: 'integer', example: 41 })
  id!: number;

  @ApiProperty({ example: 'Seizure' })
  text!: string;

  @ApiProperty({ description: 'The identifier in the ontology.', example: 'HP:0001250' })
  term_id!: string;
}

/** The position of a page among all pages. */
export class TermPagination {
  @ApiProperty({ description: 'Whether there is a next page.', example: false })
  more!: boolean;

  @ApiProperty({ type: 'integer' })
  page!: number;

  @ApiProperty({ type: 'integer', description: 'The number of matches on all pages.' })
  total!: number;
}

/** A page of terms. */
export class TermSearchResponse {
  @ApiProperty({ type: [FoundTerm] })
  results!: readonly FoundTerm[];

  @ApiProperty()
  pagination!: TermPagination;
}
