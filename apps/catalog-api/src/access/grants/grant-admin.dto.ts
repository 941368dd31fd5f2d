import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { PageParameters, type CountedPage } from '../../platform/lists/page.dto.js';
import { Id, OneOf, Text } from '../../platform/properties/property.decorators.js';
import { protectedResources, type ProtectedResource } from '../../publishing/writing/protected-record.js';

/** Which grants an administrator asks for. */
export class SearchGrants extends PageParameters {
  @ApiPropertyOptional({ type: 'integer', description: 'Only those of this user.' })
  @IsOptional()
  @Matches(/^[1-9]\d{0,8}$/, { message: 'user_id must be the id of a user' })
  user_id?: string;

  @ApiPropertyOptional({ enum: protectedResources, description: 'Only those on records of this kind.' })
  @IsOptional()
  @IsIn(protectedResources, { message: `resource must be one of ${protectedResources.join(', ')}` })
  resource?: ProtectedResource;

  @ApiPropertyOptional({ type: 'integer', description: 'Only those on the record with this id. Needs `resource`.' })
  @IsOptional()
  @Matches(/^[1-9]\d{0,8}$/, { message: 'record_id must be the id of a record' })
  record_id?: string;
}

/** A new grant. */
export class CreateGrant {
  @Id({ description: 'Who is to hold *protected*.' })
  user_id!: number;

  @OneOf(protectedResources, { description: 'The kind of record.' })
  resource!: ProtectedResource;

  @Text({ description: 'The record: its id, or its accession.', min: 1, max: 255 })
  record_id!: string;
}

/** The *protected* permission of one user on one record. */
export class GrantResponse {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ type: 'integer' })
  user_id!: number;

  @ApiProperty({ description: 'First and last name.' })
  user_name!: string;

  @ApiProperty({ enum: protectedResources })
  resource!: ProtectedResource;

  @ApiProperty({ type: 'integer' })
  record_id!: number;

  @ApiProperty({ description: 'Acronym of a project, name of a dataset or contract.' })
  record_name!: string;

  @ApiProperty({ description: 'Who gave it, as the audit trail names callers.' })
  granted_by!: string;

  @ApiProperty()
  created_at!: Date;
}

/** A page of grants, the newest first. */
export class GrantPage implements CountedPage<GrantResponse> {
  @ApiProperty({ type: [GrantResponse] })
  items!: readonly GrantResponse[];

  @ApiProperty({ type: 'integer', description: 'Items on all pages.' })
  total!: number;

  @ApiProperty({ type: String, nullable: true, description: 'Where the next page begins; null on the last.' })
  next_cursor!: string | null;
}
