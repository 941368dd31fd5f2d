import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { PageParameters, type CountedPage } from '../../platform/lists/page.dto.js';
import { SearchText } from '../../platform/lists/search-text.js';

/** By what a list is sorted; with a minus the other way round. */
const recordOrders = ['name', '-name', 'created', '-created', 'changed', '-changed'] as const;

/** Which records of a kind are asked for, and in which order. */
class SearchRecords extends PageParameters {
  @SearchText('Part of the name, the acronym or the accession.')
  q?: string;

  @ApiPropertyOptional({
    enum: recordOrders,
    default: 'name',
    description: 'By name, or by when they were made or last changed; with a minus the other way round.',
  })
  @IsOptional()
  @IsIn(recordOrders, { message: `sort must be one of ${recordOrders.join(', ')}` })
  sort?: (typeof recordOrders)[number];
}

/** Records that are published or not. */
export class SearchPublishable extends SearchRecords {
  @ApiPropertyOptional({ enum: ['true', 'false'], description: 'Only those that are published, or that are not.' })
  @IsOptional()
  @IsIn(['true', 'false'], { message: 'published must be true or false' })
  published?: 'true' | 'false';
}

/** Records of a project. */
export class SearchContractRows extends SearchRecords {
  @ProjectOfRows()
  project?: string;
}

/** Records of a project that are published or not. */
export class SearchDatasetRows extends SearchPublishable {
  @ProjectOfRows()
  project?: string;
}

/** Everything that any of the lists can be asked for. */
export type RecordQuery = SearchDatasetRows;

function ProjectOfRows(): PropertyDecorator {
  const checks = [
    ApiPropertyOptional({ type: 'integer', description: 'Only those of the project with this id.' }),
    IsOptional(),
    Matches(/^[1-9]\d{0,8}$/, { message: 'project must be the id of a project' }),
  ];
  return (target, property) => {
    for (const check of checks) check(target, property);
  };
}

/** What a list shows of a record. */
export class RecordRow {
  @ApiProperty({ type: 'integer', description: 'Its `id_at_source`.' })
  id!: number;

  @ApiProperty({ type: String, nullable: true, description: 'Its accession.' })
  external_id!: string | null;

  @ApiProperty()
  name!: string;

  @ApiProperty({ type: String, nullable: true, description: 'Of projects and partners.' })
  acronym!: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'The project of a dataset or contract.' })
  project_id!: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'The acronym of that project.' })
  project!: string | null;

  @ApiProperty({ type: Boolean, nullable: true, description: 'Whether it is published; null of contracts.' })
  published!: boolean | null;

  @ApiProperty({ format: 'date-time' })
  created_at!: Date;

  @ApiProperty({ format: 'date-time', description: 'When what it exports last changed.' })
  changed_at!: Date;
}

/** A page of records. */
export class RecordPage implements CountedPage<RecordRow> {
  @ApiProperty({ type: [RecordRow] })
  items!: RecordRow[];

  @ApiProperty({ type: String, nullable: true, description: 'Where the next page begins; null on the last.' })
  next_cursor!: string | null;

  @ApiProperty({ type: 'integer', description: 'Records on all pages.' })
  total!: number;
}
