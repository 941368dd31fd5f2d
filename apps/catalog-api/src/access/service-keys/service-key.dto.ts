import { ApiProperty } from '@nestjs/swagger';
import { scopes, type Scope } from '@rdc/auth';
import { BodyMayBeMissing } from '@rdc/http';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, Matches, ValidateIf } from 'class-validator';
import { KeyState } from '../../platform/properties/key.dto.js';
import { PageParameters, type CountedPage } from '../../platform/lists/page.dto.js';
import { InstantText, SomeOf, Text, WholeNumber } from '../../platform/properties/property.decorators.js';
import { SearchText } from '../../platform/lists/search-text.js';
import { serviceKeyName } from './service-key-rules.js';

const maxOverlapSeconds = 365 * 24 * 60 * 60;
const maxLimits = 100;

const descriptions = {
  scopes: 'Everything that the key may do; a key of two programs is two keys.',
  submissions: 'Prefixes of the submissions that `imports:*` extend to; null for all submissions.',
  projects: 'Accessions of the projects whose datasets and contracts `records:*` extend to; null for all records.',
  expires_at: 'When the key ends; null: never.',
};

/** A list of limits: prefixes or accessions, each visible text and each once. */
function Limits(description: string): PropertyDecorator {
  const checks = [
    ApiProperty({ type: [String], description, required: false, nullable: true, maxItems: maxLimits }),
    Matches(/^[^\s\0]{1,255}$/, { each: true, message: '$property must each be 1 to 255 characters without spaces' }),
    ArrayUnique({ message: '$property must not repeat itself' }),
    ArrayMinSize(1, { message: '$property must name at least one, or be null for no limit' }),
    ArrayMaxSize(maxLimits, { message: `$property must have at most ${String(maxLimits)} entries` }),
    IsArray({ message: '$property must be an array or null' }),
    ValidateIf((_, value) => value !== undefined && value !== null),
  ];
  return (target, property) => {
    for (const check of checks) check(target, property);
  };
}

/** Which service keys an administrator looks for. */
export class SearchServiceKeys extends PageParameters {
  @SearchText('Part of the name.')
  q?: string;
}

/** A new service key. */
export class CreateServiceKey {
  @Text({
    description: 'Name of the program, unique for all time: the audit trail has `service:<name>`.',
    max: 64,
    min: 1,
  })
  @Matches(serviceKeyName, {
    message:
      '$property must begin with a letter and hold only lower-case letters, digits, dots, dashes and underscores',
  })
  name!: string;

  @SomeOf(scopes, { description: descriptions.scopes })
  @ArrayMinSize(1, { message: '$property must name at least one scope' })
  scopes!: Scope[];

  @Limits(descriptions.submissions)
  submissions?: string[] | null;

  @Limits(descriptions.projects)
  projects?: string[] | null;

  @InstantText({ description: descriptions.expires_at, optional: true, nullable: true })
  expires_at?: string | null;
}

/** The changes of a service key; a member that is left out stays. */
export class UpdateServiceKey {
  @SomeOf(scopes, { description: descriptions.scopes, optional: true })
  @ArrayMinSize(1, { message: '$property must name at least one scope' })
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
    description: 'For how many seconds the former key stays valid, so that the program can change to the new one.',
    min: 0,
    max: maxOverlapSeconds,
    optional: true,
  })
  overlap_seconds = 0;
}

/** A secret of a service key: never the secret itself. */
export class ServiceKeySecretState extends KeyState {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty()
  created_at!: Date;
}

/** A service key, as administrators see it. */
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

  @ApiProperty({ type: Date, nullable: true, description: 'When it was revoked; null: it is not.' })
  revoked_at!: Date | null;

  @ApiProperty({ type: [ServiceKeySecretState], description: 'Its secrets, ended ones too, newest first.' })
  secrets!: readonly ServiceKeySecretState[];

  @ApiProperty()
  created_at!: Date;

  @ApiProperty()
  updated_at!: Date;
}

/** A new service key with its secret, the only time that the secret is shown. */
export class CreatedServiceKey extends ServiceKeyResponse {
  @ApiProperty({ description: 'The key. It is shown here and never again.' })
  key!: string;
}

/** A page of service keys, by name. */
export class ServiceKeyPage implements CountedPage<ServiceKeyResponse> {
  @ApiProperty({ type: [ServiceKeyResponse] })
  items!: readonly ServiceKeyResponse[];

  @ApiProperty({ type: 'integer', description: 'Items on all pages.' })
  total!: number;

  @ApiProperty({ type: String, nullable: true, description: 'Where the next page begins; null on the last.' })
  next_cursor!: string | null;
}
