import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { PageParameters, type CountedPage } from '../../platform/lists/page.dto.js';
import { SearchText } from '../../platform/lists/search-text.js';

/** The orders of a list. A minus reverses the order. */
const recordOrders = ['name', '-name', 'created', '-created', 'changed', '-changed'] as const;

/** The query of a list of records. */
class SearchRecords extends PageParameters {
  @SearchText('Part of the name, the acronym or the accession.')
  q?: string;

  @ApiPropertyOptional({
    enum: recordOrders,
    default: 'name',
    description: 'The order: by name, by time of creation or by time of the last change. A minus reverses the order.',
  })
  @IsOptional()
  @IsIn(recordOrders, { message: `sort must be one of ${recordOrders.join(', ')}` })
  sort?: (typeof recordOrders)[number];
}

/** The query of a list of records that can be published. */
export class SearchPublishable extends SearchRecords {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: 'Whether only published or only unpublished records are returned. All records if absent.',
  })
  @IsOptional()
  @IsIn(['true', 'false'], { message: 'published must be true or false' })
  published?: 'true' | 'false';
}

/** The query of the list of contracts. */
export class SearchContractRows extends SearchRecords {
  @ProjectOfRows()
  project?: string;
}

/** The query of the list of datasets. */
export class SearchDatasetRows extends SearchPublishable {
  @ProjectOfRows()
  project?: string;
}

/** The query of any list of records. */
export type RecordQuery = SearchDatasetRows;

function ProjectOfRows(): PropertyDecorator {
  const checks = [
    ApiPropertyOptional({ type: 'integer', description: 'The id of a project. Returns only records of this project.' }),
    IsOptional(),
    Matches(/^[1-9]\d{0,8}$/, { message: 'project must be the id of a project' }),
  ];
  return (target, property) => {
    for (const check of checks) check(target, property);
  };
}

/** A record in a list. */
export class RecordRow {
  @ApiProperty({ type: 'integer', description: 'The `id_at_source` of the record.' })
  id!: number;

  @ApiProperty({ type: String, nullable: true, description: 'The accession of the record.' })
  external_id!: string | null;

  @ApiProperty()
  name!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The acronym of a project or partner. null for other records.',
  })
  acronym!: string | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The id of the project of a dataset or contract. null for other records.',
  })
  project_id!: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The acronym of the project of a dataset or contract. null for other records.',
  })
  project!: string | null;

  @ApiProperty({ type: Boolean, nullable: true, description: 'Whether the record is published. null for contracts.' })
  published!: boolean | null;

  @ApiProperty({ format: 'date-time' })
  created_at!: Date;

  @ApiProperty({ format: 'date-time', description: 'The time of the last change of the exported record.' })
  changed_at!: Date;
}

/** A page of records. */
export class RecordPage implements CountedPage<RecordRow> {
  @ApiProperty({ type: [RecordRow] })
  items!: RecordRow[];

  @ApiProperty({ type: String, nullable: true, description: 'The cursor of the next page, or null on the last page.' })
  next_cursor!: string | null;

  @ApiProperty({ type: 'integer', description: 'The number of records on all pages.' })
  total!: number;
}
