import { ApiProperty } from '@nestjs/swagger';

/** What lists of the source's subjects have beside their items. */
export abstract class ListResponse {
  @ApiProperty({ description: 'Items on all pages.' })
  total!: number;

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'When the source was last scanned for sizes; null before the first time.',
  })
  as_of!: string | null;
}
