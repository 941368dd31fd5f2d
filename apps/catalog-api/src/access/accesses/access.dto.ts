import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches, MaxLength } from 'class-validator';
import { type CountedPage, CountedPageResponse, PageParameters } from '../../platform/lists/page.dto.js';
import { maxNotes } from '../../publishing/schemas/json-schema.js';
import { Id, InstantText, Text } from '../../platform/properties/property.decorators.js';
import { SearchText } from '../../platform/lists/search-text.js';
import { accessStatuses } from './access.entity.js';

/** The status of an access. `precreated`: the person has not been found yet. */
export type AccessStatus = (typeof accessStatuses)[number];

/** The query of a list of accesses. */
export class SearchAccesses extends PageParameters {
  @SearchText('Part of the name, e-mail address or subject of the person, or of the name or accession of the dataset.')
  q?: string;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Only accesses of this user, including accesses found by the subject of the user.',
  })
  @IsOptional()
  @Matches(/^[1-9]\d{0,8}$/, { message: 'user_id must be the id of a user' })
  user_id?: string;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Only accesses of this contact, including accesses found by the subject of the contact.',
  })
  @IsOptional()
  @Matches(/^[1-9]\d{0,8}$/, { message: 'contact_id must be the id of a contact' })
  contact_id?: string;

  @ApiPropertyOptional({ description: 'Only accesses of the person with this identifier at the identity provider.' })
  @IsOptional()
  @Matches(/^[^\0]+$/, { message: 'subject must not be empty' })
  @MaxLength(255)
  subject?: string;

  @ApiPropertyOptional({ description: 'Only accesses to the dataset with this id or accession.' })
  @IsOptional()
  @Matches(/^[^\0]+$/, { message: 'dataset must not be empty' })
  @MaxLength(255)
  dataset?: string;

  @ApiPropertyOptional({
    enum: accessStatuses,
    description: 'Only accesses with this status. `precreated`: the person has not been found yet.',
  })
  @IsOptional()
  @IsIn(accessStatuses, { message: `status must be one of ${accessStatuses.join(', ')}` })
  status?: AccessStatus;

  @ApiPropertyOptional({ enum: ['true'], description: 'Only accesses in force that end within 30 days.' })
  @IsOptional()
  @IsIn(['true'], { message: 'ending must be true' })
  ending?: 'true';
}

/** The changes of an access. Absent members stay unchanged. */
export class UpdateAccess {
  @InstantText({ description: 'The end of the access; null for no end.', optional: true, nullable: true })
  expires_at?: string | null;

  @Text({ description: 'The reason of the access.', max: maxNotes, optional: true, nullable: true })
  notes?: string | null;
}

/** An access that an administrator grants to a user or to a contact. */
export class CreateAccess {
  @Text({ description: 'The id or the accession of the dataset.', min: 1, max: 255 })
  dataset!: string;

  @Id({ description: 'The user who gets the access.', optional: true })
  user_id?: number;

  @Id({ description: 'The contact who gets the access.', optional: true })
  contact_id?: number;

  @InstantText({
    description: 'The end of the access. If left out, the access has no end.',
    optional: true,
    nullable: true,
  })
  expires_at?: string | null;

  @Text({ description: 'The reason of the access.', max: maxNotes, optional: true, nullable: true })
  notes?: string | null;
}

/** A person's right to use a dataset. */
export class AccessResponse {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ type: 'integer' })
  dataset_id!: number;

  @ApiProperty({ type: String, nullable: true })
  dataset_external_id!: string | null;

  @ApiProperty()
  dataset_name!: string;

  @ApiProperty({ type: 'integer', nullable: true })
  user_id!: number | null;

  @ApiProperty({ type: 'integer', nullable: true })
  contact_id!: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'First and last name; null if the person is unknown.' })
  person_name!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Identifier at the identity provider.' })
  subject!: string | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Number of the application at the access-request system; null if an administrator granted the access.',
  })
  application!: number | null;

  @ApiProperty({ enum: accessStatuses })
  status!: AccessStatus;

  @ApiProperty({ description: 'Whether the access is active and has not ended.' })
  in_force!: boolean;

  @ApiProperty({ type: Date, nullable: true })
  granted_at!: Date | null;

  @ApiProperty({ type: Date, nullable: true, description: 'The end of the access; null for no end.' })
  expires_at!: Date | null;

  @ApiProperty({ type: Date, nullable: true, description: 'Time at which the access-request system ended the access.' })
  revoked_at!: Date | null;

  @ApiProperty({
    type: String,
    enum: ['confirmation', 'person'],
    nullable: true,
    description:
      'What the access waits for: a confirmation by the access-request system, or the person at the identity provider.',
  })
  waits_for!: 'confirmation' | 'person' | null;

  @ApiProperty({ type: 'integer', description: 'Number of failed attempts to find the person or the confirmation.' })
  attempts!: number;

  @ApiProperty({
    type: Date,
    nullable: true,
    description: 'Time of the next attempt; null if the access does not wait.',
  })
  next_attempt_at!: Date | null;

  @ApiProperty({ type: String, nullable: true })
  notes!: string | null;

  @ApiProperty()
  created_at!: Date;

  @ApiProperty()
  updated_at!: Date;
}

/** A page of accesses, newest first. */
export class AccessPage extends CountedPageResponse implements CountedPage<AccessResponse> {
  @ApiProperty({ type: [AccessResponse] })
  items!: readonly AccessResponse[];
}
