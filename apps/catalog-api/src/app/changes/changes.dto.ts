import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';
import { cursorText } from '../../platform/lists/page.dto.js';
import { feedLists, type FeedList } from './changes.repository.js';

/** The number of changes on a page if the request does not contain `limit`. */
export const defaultChanges = 100;

/** The query of the change feed. */
export class SearchChanges {
  @ApiPropertyOptional({
    description:
      'The `cursor` of the previous response. `now` returns a cursor for later changes and no change. If absent, the ' +
      'feed begins with all records that the caller may read.',
  })
  @IsOptional()
  @Matches(cursorText, { message: 'since must be the cursor of another response of /api/changes, or now' })
  since?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: 1000,
    default: defaultChanges,
    description: 'The maximum number of changes in the response.',
  })
  @IsOptional()
  @Matches(/^([1-9]\d{0,2}|1000)$/, { message: 'limit must be a whole number from 1 to 1000' })
  limit?: string;
}

const events = ['created', 'changed', 'withdrawn'] as const;

/** The last change of a record, as the caller sees it. */
export class ChangeResponse {
  @ApiProperty({
    enum: events,
    description:
      '`created`: the record became visible to the caller after the caller last reached the end of the feed. `changed`: ' +
      'its content changed. `withdrawn`: the caller may no longer read the record, or the record was removed.',
  })
  event!: (typeof events)[number];

  @ApiProperty({ enum: feedLists, description: 'The list that contains the record.' })
  list!: FeedList;

  @ApiProperty({ description: 'The `id_at_source` of the record in this catalog.' })
  id_at_source!: string;

  @ApiProperty({ type: String, nullable: true, description: 'The accession; null if the record has none.' })
  external_id!: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'The instant at which the record last changed for the caller.',
  })
  changed_at!: string;
}

/** A page of the change feed. */
export class ChangesResponse {
  @ApiProperty({ type: [ChangeResponse], description: 'The changes, oldest first.' })
  items!: readonly ChangeResponse[];

  @ApiProperty({ description: 'The value of `since` in the next request. Store it after the items are processed.' })
  cursor!: string;

  @ApiProperty({ description: 'Whether more changes can be read now.' })
  has_more!: boolean;
}
