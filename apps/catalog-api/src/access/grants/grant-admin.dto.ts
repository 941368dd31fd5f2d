import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { type CountedPage, CountedPageResponse, PageParameters } from '../../platform/lists/page.dto.js';
import { Id, OneOf, Text } from '../../platform/properties/property.decorators.js';
import { protectedResources, type ProtectedResource } from '../../publishing/writing/protected-record.js';

/** The query of a list of grants. */
export class SearchGrants extends PageParameters {
  @ApiPropertyOptional({ type: 'integer', description: 'Only grants of this user.' })
  @IsOptional()
  @Matches(/^[1-9]\d{0,8}$/, { message: 'user_id must be the id of a user' })
  user_id?: string;

  @ApiPropertyOptional({ enum: protectedResources, description: 'Only grants on records of this kind.' })
  @IsOptional()
  @IsIn(protectedResources, { message: `resource must be one of ${protectedResources.join(', ')}` })
  resource?: ProtectedResource;

  @ApiPropertyOptional({ type: 'integer', description: 'Only grants on the record with this id. Requires `resource`.' })
  @IsOptional()
  @Matches(/^[1-9]\d{0,8}$/, { message: 'record_id must be the id of a record' })
  record_id?: string;
}

/** A new grant. */
export class CreateGrant {
  @Id({ description: 'The user who gets the permission *protected*.' })
  user_id!: number;

  @OneOf(protectedResources, { description: 'The kind of record.' })
  resource!: ProtectedResource;

  @Text({ description: 'The id or the accession of the record.', min: 1, max: 255 })
  record_id!: string;
}

/** The permission *protected* of one user on one record. */
export class GrantResponse {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ type: 'integer' })
  user_id!: number;

  @ApiProperty({ description: 'First and last name of the user.' })
  user_name!: string;

  @ApiProperty({ enum: protectedResources })
  resource!: ProtectedResource;

  @ApiProperty({ type: 'integer' })
  record_id!: number;

  @ApiProperty({ description: 'Acronym of the project, or name of the dataset or contract.' })
  record_name!: string;

  @ApiProperty({ description: 'The caller who created the grant, as named in the audit trail.' })
  granted_by!: string;

  @ApiProperty()
  created_at!: Date;
}

/** A page of grants, newest first. */
export class GrantPage extends CountedPageResponse implements CountedPage<GrantResponse> {
  @ApiProperty({ type: [GrantResponse] })
  items!: readonly GrantResponse[];
}
