import { ApiProperty } from '@nestjs/swagger';
import { scopes, type Scope } from '@rdc/auth';
import { BodyMayBeMissing } from '@rdc/http';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, Matches, ValidateIf } from 'class-validator';
import { KeyState } from '../../platform/properties/key.dto.js';
import { type CountedPage, CountedPageResponse, PageParameters } from '../../platform/lists/page.dto.js';
import { InstantText, SomeOf, Text, WholeNumber } from '../../platform/properties/property.decorators.js';
import { SearchText } from '../../platform/lists/search-text.js';
import { serviceKeyName } from './service-key-rules.js';

const maxOverlapSeconds = 365 * 24 * 60 * 60;
const maxLimits = 100;

const descriptions = {
  scopes: 'The operations that the key allows. Create one key for each program.',
  submissions: 'Prefixes of the submissions to which the scopes `imports:*` are limited; null for all submissions.',
  projects:
    'Accessions of the projects to whose datasets and contracts the scopes `records:*` are limited; null for all records.',
  expires_at: 'The end of the key; null for no end.',
};

/** A list of prefixes or accessions without spaces, each once. */
function Limits(description: string): PropertyDecorator {
  const checks = [
    ApiProperty({ type: [String], description, required: false, nullable: true, maxItems: maxLimits }),
    Matches(/^[^\s\0]{1,255}$/, { each: true, message: '$property must each be 1 to 255 characters without spaces' }),
    ArrayUnique({ message: '$property must not repeat itself' }),
    ArrayMinSize(1, { message: '$property must have at least one entry, or be null for no limit' }),
    ArrayMaxSize(maxLimits, { message: `$property must have at most ${String(maxLimits)} entries` }),
    IsArray({ message: '$property must be an array or null' }),
    ValidateIf((_, value) => value !== undefined && value !== null),
  ];
  return (target, property) => {
    for (const check of checks) check(target, property);
  };
}

/** The query of a list of service keys. */
export class SearchServiceKeys extends PageParameters {
  @SearchText('Part of the name.')
  q?: string;
}

/** A new service key. */
export class CreateServiceKey {
  @Text({
    description: 'Name of the program, used only once. The audit trail contains `service:<name>`.',
    max: 64,
    min: 1,
  })
  @Matches(serviceKeyName, {
    message:
      '$property must begin with a letter and hold only lower-case letters, digits, dots, dashes and underscores',
  })
  name!: string;

  @SomeOf(scopes, { description: descriptions.scopes })
  @ArrayMinSize(1, { message: '$property must have at least one entry' })
  scopes!: Scope[];

  @Limits(descriptions.submissions)
  submissions?: string[] | null;

  @Limits(descriptions.projects)
  projects?: string[] | null;

  @InstantText({ description: descriptions.expires_at, optional: true, nullable: true })
  expires_at?: string | null;
}

/** The changes of a service key. Absent members stay unchanged. */
export class UpdateServiceKey {
  @SomeOf(scopes, { description: descriptions.scopes, optional: true })
  @ArrayMinSize(1, { message: '$property must have at least one entry' })
  scopes?: Scope[];

  @Limits(descriptions.submissions)
  submissions?: string[] | null;

  @Limits(descriptions.projects)
  projects?: string[] | null;

  @InstantText({ description: descriptions.expires_at, optional: true, nullable: true })
  expires_at?: string | null;
}

/** The request for a new secret of a service key. */
@BodyMayBeMissing()
export class RotateServiceKey {
  @WholeNumber({
    description: 'For how many seconds the previous key stays valid, so that the program can change to the new key.',
    min: 0,
    max: maxOverlapSeconds,
    optional: true,
  })
  overlap_seconds = 0;
}

/** The state of a service key's secret, without the secret. */
export class ServiceKeySecretState extends KeyState {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty()
  created_at!: Date;
}

/** A service key in answers to administrators. */
export class ServiceKeyResponse extends KeyState {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty()
  name!: string;

  @ApiProperty({ enum: scopes, isArray: true })
  scopes!: readonly Scope[];

  @ApiProperty({ type: [String], nullable: true, description: descriptions.submissions })
  submissions!: readonly string[] | null;

  @ApiProperty({ type: [String], nullable: true, description: descriptions.projects })
  projects!: readonly string[] | null;

  @ApiProperty({ type: Date, nullable: true, description: 'Time of the revocation; null if the key is not revoked.' })
  revoked_at!: Date | null;

  @ApiProperty({
    type: [ServiceKeySecretState],
    description: 'The secrets of the key, newest first, including ended secrets.',
  })
  secrets!: readonly ServiceKeySecretState[];

  @ApiProperty()
  created_at!: Date;

  @ApiProperty()
  updated_at!: Date;
}

/** A new service key with its secret. No other answer contains the secret. */
export class CreatedServiceKey extends ServiceKeyResponse {
  @ApiProperty({ description: 'The key. No later answer contains it.' })
  key!: string;
}

/** A page of service keys, sorted by name. */
export class ServiceKeyPage extends CountedPageResponse implements CountedPage<ServiceKeyResponse> {
  @ApiProperty({ type: [ServiceKeyResponse] })
  items!: readonly ServiceKeyResponse[];
}
