import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { PageParameters, type CountedPage } from '../../platform/lists/page.dto.js';
import { SearchText } from '../../platform/lists/search-text.js';
import { accessCategories } from '../datasets/data-declaration.entity.js';
import { sectorCategories } from '../partners/partner.entity.js';

/** The orders of a list. A minus reverses the order. */
const recordOrders = ['match', 'name', '-name', 'created', '-created', 'changed', '-changed'] as const;

/** The query parameters that filter a list by a property of its records. */
export const facetNames = [
  'project',
  'cohort',
  'access',
  'data_type',
  'consent',
  'custodian',
  'partner',
  'sector',
  'country',
] as const;

/** The name of a query parameter that filters a list. */
export type FacetName = (typeof facetNames)[number];

/** The query of a list of records. */
class SearchRecords extends PageParameters {
  @SearchText(
    'Part of the name, the acronym or the accession; or words of the record, or a name or synonym of one of its terms.',
  )
  q?: string;

  @ApiPropertyOptional({
    enum: recordOrders,
    description:
      'The order: the best matches of `q` first, by name, by time of creation or by time of the last change. A minus ' +
      'reverses the order. With `q`, the default is `match`, otherwise `name`.',
  })
  @IsOptional()
  @IsIn(recordOrders, { message: `sort must be one of ${recordOrders.join(', ')}` })
  sort?: (typeof recordOrders)[number];
}

/** The query of a list of records that can be published. */
class SearchPublishable extends SearchRecords {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: 'Whether only published or only unpublished records are returned. All records if absent.',
  })
  @IsOptional()
  @IsIn(['true', 'false'], { message: 'published must be true or false' })
  published?: 'true' | 'false';
}

/** The query of the list of cohorts. */
export class SearchCohortRows extends SearchPublishable {}

/** The query of the list of projects. */
export class SearchProjectRows extends SearchPublishable {
  @IdOf('user', 'who is a custodian of the records')
  custodian?: string;
}

/** The query of the list of partners. */
export class SearchPartnerRows extends SearchPublishable {
  @OneOf(sectorCategories, 'The sector of the partners.')
  sector?: string;

  @ApiPropertyOptional({ pattern: '^[A-Z]{2}$', description: 'The country of the partners, in two letters.' })
  @IsOptional()
  @Matches(/^[A-Z]{2}$/, { message: 'country must be two capital letters' })
  country?: string;
}

/** The query of the list of contracts. */
export class SearchContractRows extends SearchRecords {
  @IdOf('project', 'to which the records belong')
  project?: string;

  @IdOf('partner', 'that is a party of the contracts')
  partner?: string;

  @IdOf('user', 'who is a custodian of the records')
  custodian?: string;
}

/** The query of the list of datasets. */
export class SearchDatasetRows extends SearchPublishable {
  @IdOf('project', 'to which the records belong')
  project?: string;

  @IdOf('cohort', 'that a data declaration names')
  cohort?: string;

  @OneOf(accessCategories, 'The access category of a data declaration.')
  access?: string;

  @ApiPropertyOptional({ maxLength: 500, description: 'A data type of a data declaration.' })
  @IsOptional()
  @Matches(/^[^\0]{1,500}$/, { message: 'data_type must have 1 to 500 characters' })
  data_type?: string;

  @ApiPropertyOptional({ maxLength: 20, description: 'The code of a use condition.' })
  @IsOptional()
  @Matches(/^\w{1,20}$/, { message: 'consent must be the code of a use condition' })
  consent?: string;

  @IdOf('user', 'who is a custodian of the records')
  custodian?: string;
}

/** The query of any list of records. */
export type RecordQuery = SearchDatasetRows & Partial<Record<FacetName, string>>;

function IdOf(kind: string, relation: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: 'integer', description: `The id of a ${kind} ${relation}.` }),
    IsOptional(),
    Matches(/^[1-9]\d{0,8}$/, { message: `$property must be the id of a ${kind}` }),
  );
}

function OneOf(values: readonly string[], description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ enum: values, description }),
    IsOptional(),
    IsIn(values, { message: `$property must be one of ${values.join(', ')}` }),
  );
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
