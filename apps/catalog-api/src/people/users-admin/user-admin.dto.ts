import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { roles, type Role } from '@rdc/auth';
import { BodyMayBeMissing } from '@rdc/http';
import { IsIn, IsOptional } from 'class-validator';
import { KeyState } from '../../platform/properties/key.dto.js';
import { PageParameters, type CountedPage } from '../../platform/lists/page.dto.js';
import { SearchText } from '../../platform/lists/search-text.js';
import { Email, Flag, InstantText, SomeOf, Text } from '../../platform/properties/property.decorators.js';

const truths = ['true', 'false'] as const;
const sources = ['identity_provider', 'local'] as const;

/** Which users an administrator asks for. */
export class SearchUsers extends PageParameters {
  @SearchText('Part of a name, an e-mail address or a subject.')
  q?: string;

  @ApiPropertyOptional({ enum: roles, description: 'Only who holds this role.' })
  @IsOptional()
  @IsIn(roles, { message: `role must be one of ${roles.join(', ')}` })
  role?: Role;

  @ApiPropertyOptional({ enum: truths, description: '`true`: only active users; `false`: only deactivated ones.' })
  @IsOptional()
  @IsIn(truths, { message: 'active must be true or false' })
  active?: (typeof truths)[number];

  @ApiPropertyOptional({
    enum: sources,
    description: '`identity_provider`: only who has a subject; `local`: only who has none.',
  })
  @IsOptional()
  @IsIn(sources, { message: `source must be one of ${sources.join(', ')}` })
  source?: (typeof sources)[number];
}

/** A new user. */
export class CreateUser {
  @Text({ description: 'First name.', max: 255, optional: true })
  first_name = '';

  @Text({ description: 'Last name.', max: 255, min: 1 })
  last_name!: string;

  @Email({
    description: 'E-mail address; no two users have the same, whatever its case.',
    optional: true,
    nullable: true,
  })
  email: string | null = null;

  @Text({ description: 'Identifier at the identity provider.', max: 255, min: 1, optional: true, nullable: true })
  subject: string | null = null;

  @SomeOf(roles, { description: 'What they may do beyond their own records.', optional: true })
  roles: Role[] = [];

  @Flag({ description: 'Marks principal investigators.', optional: true })
  principal_investigator = false;

  @Flag({ description: 'Whether their key and password are accepted.', optional: true })
  active = true;

  @Flag({ description: 'An account of a machine: never listed among people.', optional: true })
  technical = false;
}

/** What is to be different about a user; what is left out stays. */
export class UpdateUser {
  @Text({ description: 'First name.', max: 255, optional: true })
  first_name?: string;

  @Text({ description: 'Last name.', max: 255, min: 1, optional: true })
  last_name?: string;

  @Email({
    description: 'E-mail address; no two users have the same, whatever its case.',
    optional: true,
    nullable: true,
  })
  email?: string | null;

  @Text({ description: 'Identifier at the identity provider.', max: 255, min: 1, optional: true, nullable: true })
  subject?: string | null;

  @SomeOf(roles, { description: 'What they may do beyond their own records.', optional: true })
  roles?: Role[];

  @Flag({ description: 'Marks principal investigators.', optional: true })
  principal_investigator?: boolean;

  @Flag({ description: 'Whether their key and password are accepted.', optional: true })
  active?: boolean;

  @Flag({ description: 'An account of a machine: never listed among people.', optional: true })
  technical?: boolean;
}

/** How a user's new key is wanted. */
@BodyMayBeMissing()
export class IssueUserKey {
  @InstantText({ description: 'When the key ends; never when left out.', optional: true, nullable: true })
  expires_at?: string | null;
}

/** A user, as administrators see them. */
export class UserResponse {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty()
  first_name!: string;

  @ApiProperty()
  last_name!: string;

  @ApiProperty({ type: String, nullable: true })
  email!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Identifier at the identity provider.' })
  subject!: string | null;

  @ApiProperty({ enum: roles, isArray: true })
  roles!: readonly Role[];

  @ApiProperty()
  principal_investigator!: boolean;

  @ApiProperty()
  active!: boolean;

  @ApiProperty()
  technical!: boolean;

  @ApiProperty({ description: 'Whether they can sign in with a password kept here.' })
  has_password!: boolean;

  @ApiProperty({ description: 'Whether signing in with that password needs a code too.' })
  has_second_factor!: boolean;

  @ApiProperty({ type: KeyState, nullable: true, description: 'Their personal key; null when they have none.' })
  key!: KeyState | null;

  @ApiProperty()
  created_at!: Date;

  @ApiProperty()
  updated_at!: Date;
}

/** A page of users, by last and first name. */
export class UserPage implements CountedPage<UserResponse> {
  @ApiProperty({ type: [UserResponse] })
  items!: readonly UserResponse[];

  @ApiProperty({ type: 'integer', description: 'Items on all pages.' })
  total!: number;

  @ApiProperty({ type: String, nullable: true, description: 'Where the next page begins; null on the last.' })
  next_cursor!: string | null;
}
