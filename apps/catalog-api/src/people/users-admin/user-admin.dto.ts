import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { roles, type Role } from '@rdc/auth';
import { BodyMayBeMissing } from '@rdc/http';
import { IsIn, IsOptional } from 'class-validator';
import { KeyState } from '../../platform/properties/key.dto.js';
import { type CountedPage, CountedPageResponse, PageParameters } from '../../platform/lists/page.dto.js';
import { SearchText } from '../../platform/lists/search-text.js';
import { Email, Flag, InstantText, SomeOf, Text } from '../../platform/properties/property.decorators.js';

const truths = ['true', 'false'] as const;
const sources = ['identity_provider', 'local'] as const;

/** The query of a list of users. */
export class SearchUsers extends PageParameters {
  @SearchText('Part of a name, an e-mail address or a subject.')
  q?: string;

  @ApiPropertyOptional({ enum: roles, description: 'Only users with this role.' })
  @IsOptional()
  @IsIn(roles, { message: `role must be one of ${roles.join(', ')}` })
  role?: Role;

  @ApiPropertyOptional({ enum: truths, description: '`true`: only active users. `false`: only deactivated users.' })
  @IsOptional()
  @IsIn(truths, { message: 'active must be true or false' })
  active?: (typeof truths)[number];

  @ApiPropertyOptional({
    enum: sources,
    description: '`identity_provider`: only users with a subject. `local`: only users without a subject.',
  })
  @IsOptional()
  @IsIn(sources, { message: `source must be one of ${sources.join(', ')}` })
  source?: (typeof sources)[number];
}

/** A new user. */
export class CreateUser {
  @Text({ description: 'First name. If it is empty, exports contain `-`.', max: 255, optional: true })
  first_name = '';

  @Text({ description: 'Last name.', max: 255, min: 1 })
  last_name!: string;

  @Email({
    description: 'E-mail address, unique among users; case is ignored.',
    optional: true,
    nullable: true,
  })
  email: string | null = null;

  @Text({ description: 'Identifier at the identity provider.', max: 255, min: 1, optional: true, nullable: true })
  subject: string | null = null;

  @SomeOf(roles, { description: 'The roles of the user, each of which adds permissions.', optional: true })
  roles: Role[] = [];

  @Flag({ description: 'Whether the user is a principal investigator.', optional: true })
  principal_investigator = false;

  @Flag({ description: 'Whether the key and the password of the user are accepted.', optional: true })
  active = true;

  @Flag({
    description: 'Whether the account belongs to a machine. Lists of people omit such accounts.',
    optional: true,
  })
  technical = false;
}

/** The changes of a user. Absent members stay unchanged. */
export class UpdateUser {
  @Text({ description: 'First name. If it is empty, exports contain `-`.', max: 255, optional: true })
  first_name?: string;

  @Text({ description: 'Last name.', max: 255, min: 1, optional: true })
  last_name?: string;

  @Email({
    description: 'E-mail address, unique among users; case is ignored.',
    optional: true,
    nullable: true,
  })
  email?: string | null;

  @Text({ description: 'Identifier at the identity provider.', max: 255, min: 1, optional: true, nullable: true })
  subject?: string | null;

  @SomeOf(roles, { description: 'The roles of the user, each of which adds permissions.', optional: true })
  roles?: Role[];

  @Flag({ description: 'Whether the user is a principal investigator.', optional: true })
  principal_investigator?: boolean;

  @Flag({ description: 'Whether the key and the password of the user are accepted.', optional: true })
  active?: boolean;

  @Flag({
    description: 'Whether the account belongs to a machine. Lists of people omit such accounts.',
    optional: true,
  })
  technical?: boolean;
}

/** The body of a request for a new personal key. */
@BodyMayBeMissing()
export class IssueUserKey {
  @InstantText({ description: 'The end of the key. If left out, the key has no end.', optional: true, nullable: true })
  expires_at?: string | null;
}

/** A user in answers to administrators. */
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

  @ApiProperty({ description: 'Whether the user has a local password.' })
  has_password!: boolean;

  @ApiProperty({ description: 'Whether signing in with the local password requires a code.' })
  has_second_factor!: boolean;

  @ApiProperty({ type: KeyState, nullable: true, description: 'The personal key; null if the user has none.' })
  key!: KeyState | null;

  @ApiProperty()
  created_at!: Date;

  @ApiProperty()
  updated_at!: Date;
}

/** A page of users, sorted by last and first name. */
export class UserPage extends CountedPageResponse implements CountedPage<UserResponse> {
  @ApiProperty({ type: [UserResponse] })
  items!: readonly UserResponse[];
}
