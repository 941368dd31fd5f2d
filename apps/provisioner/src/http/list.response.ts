import { ApiProperty } from '@nestjs/swagger';

/** The properties that every list has in addition to its items. */
export abstract class ListResponse {
  @ApiProperty({ description: 'Number of items on all pages.' })
  total!: number;

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'Time of the last scan of the source, which supplies the sizes; null before the first scan.',
  })
  as_of!: string | null;
}
