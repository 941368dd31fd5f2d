import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches, MaxLength } from 'class-validator';
import { PageParameters, type CountedPage } from '../../platform/lists/page.dto.js';
import { Id, InstantText, Text } from '../../platform/properties/property.decorators.js';
import { SearchText } from '../../platform/lists/search-text.js';
import { accessStatuses } from './access.entity.js';

/** The life of an access: waiting for its person, in force, held back, over. */
export type AccessStatus = (typeof accessStatuses)[number];

/** Which accesses an administrator asks for. */
export class SearchAccesses extends PageParameters {
  @SearchText('Part of the name, e-mail address or subject of the person, or of the name or accession of the dataset.')
  q?: string;

  @ApiPropertyOptional({ type: 'integer', description: 'Only those of this user, also by their subject.' })
  @IsOptional()
  @Matches(/^[1-9]\d{0,8}$/, { message: 'user_id must be the id of a user' })
  user_id?: string;

  @ApiPropertyOptional({ type: 'integer', description: 'Only those of this contact, also by their subject.' })
  @IsOptional()
  @Matches(/^[1-9]\d{0,8}$/, { message: 'contact_id must be the id of a contact' })
  contact_id?: string;

  @ApiPropertyOptional({ description: 'Only those of the person with this identifier at the identity provider.' })
  @IsOptional()
  @Matches(/^[^\0]+$/, { message: 'subject must not be empty' })
  @MaxLength(255)
  subject?: string;

  @ApiPropertyOptional({ description: 'Only those to this dataset: its id, or its accession.' })
  @IsOptional()
  @Matches(/^[^\0]+$/, { message: 'dataset must not be empty' })
  @MaxLength(255)
  dataset?: string;

  @ApiPropertyOptional({
    enum: accessStatuses,
    description: '`precreated` are the entitlements that wait for their person.',
  })
  @IsOptional()
  @IsIn(accessStatuses, { message: `status must be one of ${accessStatuses.join(', ')}` })
  status?: AccessStatus;

  @ApiPropertyOptional({ enum: ['true'], description: 'Only those in force that end within 30 days.' })
  @IsOptional()
  @IsIn(['true'], { message: 'ending must be true' })
  ending?: 'true';
}

/** What is to be different about an access; what is left out stays. */
export class UpdateAccess {
  @InstantText({ description: 'When it ends; null: never.', optional: true, nullable: true })
  expires_at?: string | null;

  @Text({ description: 'Why it was given.', max: 10_000, optional: true, nullable: true })
  notes?: string | null;
}

/** An access that is given by hand: to a user or to a contact. */
export class CreateAccess {
  @Text({ description: 'The dataset: its id, or its accession.', min: 1, max: 255 })
  dataset!: string;

  @Id({ description: 'The user who gets it.', optional: true })
  user_id?: number;

  @Id({ description: 'The contact who gets it.', optional: true })
  contact_id?: number;

  @InstantText({ description: 'When it ends; never when left out.', optional: true, nullable: true })
  expires_at?: string | null;

  @Text({ description: 'Why it was given.', max: 10_000, optional: true, nullable: true })
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

  @ApiProperty({ type: String, nullable: true, description: 'First and last name, where the person is known.' })
  person_name!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Identifier at the identity provider.' })
  subject!: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'The application it came from; null: given by hand.' })
  application!: number | null;

  @ApiProperty({ enum: accessStatuses })
  status!: AccessStatus;

  @ApiProperty({ description: 'Whether it holds now: active and not past its end.' })
  in_force!: boolean;

  @ApiProperty({ type: Date, nullable: true })
  granted_at!: Date | null;

  @ApiProperty({ type: Date, nullable: true, description: 'Until when; null: without end.' })
  expires_at!: Date | null;

  @ApiProperty({ type: Date, nullable: true, description: 'When the access-request system ended it.' })
  revoked_at!: Date | null;

  @ApiProperty({
    type: String,
    enum: ['confirmation', 'person'],
    nullable: true,
    description: 'What is still to be asked: the access-request system, or the identity provider for its person.',
  })
  waits_for!: 'confirmation' | 'person' | null;

  @ApiProperty({ type: 'integer', description: 'How often its person, or its confirmation, was looked for in vain.' })
  attempts!: number;

  @ApiProperty({ type: Date, nullable: true, description: 'When it is looked for next.' })
  next_attempt_at!: Date | null;

  @ApiProperty({ type: String, nullable: true })
  notes!: string | null;

  @ApiProperty()
  created_at!: Date;

  @ApiProperty()
  updated_at!: Date;
}

/** A page of accesses, the newest first. */
export class AccessPage implements CountedPage<AccessResponse> {
  @ApiProperty({ type: [AccessResponse] })
  items!: readonly AccessResponse[];

  @ApiProperty({ type: 'integer', description: 'Items on all pages.' })
  total!: number;

  @ApiProperty({ type: String, nullable: true, description: 'Where the next page begins; null on the last.' })
  next_cursor!: string | null;
}
