import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';
import { SearchText } from '../../platform/lists/search-text.js';
import { listNames } from '../../publishing/documents/list-names.js';
import { termCategories, type TermCategory } from '../terms/term.entity.js';

/** The kinds of a match, in the order of the response if no match is exact. */
export const matchKinds = [...listNames, 'terms', 'people'] as const;

/** The kind of a match. */
export type MatchKind = (typeof matchKinds)[number];

/** The query of a search over everything. */
export class SearchEverything {
  @SearchText('The text. A word of three letters also finds longer words.', { required: true })
  @Matches(/\S/, { message: 'q must not be empty' })
  q = '';

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: 20,
    default: 5,
    description: 'The maximum number of matches of each kind.',
  })
  @IsOptional()
  @Matches(/^([1-9]|1\d|20)$/, { message: 'limit must be a whole number from 1 to 20' })
  limit?: string;
}

/** A match. */
export class SearchMatch {
  @ApiProperty({ description: 'The id of the record or person, or the identifier of the term in its ontology.' })
  id!: string;

  @ApiProperty({ description: 'The name of the record or person, or the label of the term.' })
  name!: string;

  @ApiProperty({ type: String, nullable: true, description: 'The accession of a record. null for other matches.' })
  external_id!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The acronym of a project or partner.' })
  acronym!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The acronym of the project of a dataset or contract.' })
  project!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The e-mail address of a person.' })
  email!: string | null;

  @ApiProperty({ enum: termCategories, nullable: true, description: 'The category of a term.' })
  category!: TermCategory | null;
}

/** The best matches of one kind. */
export class SearchGroup {
  @ApiProperty({ enum: matchKinds })
  kind!: MatchKind;

  @ApiProperty({ type: [SearchMatch] })
  items!: SearchMatch[];

  @ApiProperty({ description: 'Whether there are more matches of the kind.' })
  more!: boolean;
}

/** The result of a search over everything. */
export class SearchResponse {
  @ApiProperty({
    type: [SearchGroup],
    description: 'The kinds with a match. A kind with an exact accession comes first.',
  })
  groups!: SearchGroup[];
}
