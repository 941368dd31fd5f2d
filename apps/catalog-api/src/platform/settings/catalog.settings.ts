import { isServiceKey, serviceKeyPrefix, serviceKeyRandomLength } from '@rdc/auth';
import { addressProblems } from '@rdc/http';
import { loadSettings, parseBoolean, parseList, parseNumber, Setting, type Environment } from '@rdc/settings';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  IsUrl,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateBy,
} from 'class-validator';
import { Cron } from 'croner';
import { providerNames, type ProviderName } from './provider-name.js';
import { SessionSettings } from './session.settings.js';

const urlRules = { require_tld: false, require_protocol: true, protocols: ['http', 'https'] };

const developmentSecret = 'development only: set KEY_HASH_SECRET';

/** What an operator tells catalog-api through its environment (catalog interface, section 2). */
export class CatalogSettings extends SessionSettings {
  override BODY_LIMIT = 16 * 1024 * 1024;

  @Setting({ description: 'Postgres of the catalog: `postgres://user:password@host:port/name`.', secret: true })
  @Matches(/^postgres(ql)?:\/\//, { message: 'DATABASE_URL must be set and begin with postgres://' })
  DATABASE_URL!: string;

  @Setting({ description: 'Connections to Postgres that one process keeps at most.', parse: parseNumber })
  @IsInt()
  @Min(2)
  @Max(1000)
  DATABASE_POOL_SIZE = 20;

  @Setting({
    description:
      'The value of `source` in every exported record of our own; where it is an address, identifiers begin with it.',
    defaultText: 'the origin the record is served from',
  })
  @IsOptional()
  @IsString()
  @MaxLength(255)
  SERVER_URL?: string;

  @Setting({ description: 'Name used as the affiliation of local custodians and personnel.' })
  @IsOptional()
  @IsString()
  HOME_ORGANISATION?: string;

  @Setting({ description: 'Accessions are this prefix and a number.' })
  @Matches(/^[A-Za-z][\w.:-]{0,31}$/, {
    message: 'ACCESSION_PREFIX must begin with a letter and have 1 to 32 characters',
  })
  ACCESSION_PREFIX = 'RDC_';

  @Setting({
    description: 'Keys the hashes of stored keys; required in production. Changing it ends every stored key.',
    defaultText: 'a fixed text, for development only',
    secret: true,
  })
  @IsString()
  KEY_HASH_SECRET = developmentSecret;

  @Setting({ description: 'The former KEY_HASH_SECRET, accepted while keys are renewed.', secret: true })
  @IsOptional()
  @IsString()
  KEY_HASH_SECRET_PREVIOUS?: string;

  @Setting({
    description:
      'Service key of the provisioner, registered at start with the scopes `storages:write` and `introspection`; its CATALOG_API_KEY is the same. `rdcs_` and 48 letters and digits. A changed value replaces the former key, which stays valid for an hour.',
    secret: true,
  })
  @IsOptional()
  @ValidateBy({
    name: 'isServiceKey',
    validator: {
      validate: (value) => typeof value === 'string' && isServiceKey(value),
      defaultMessage: () =>
        `PROVISIONER_API_KEY must be ${serviceKeyPrefix} and ${String(serviceKeyRandomLength)} letters and digits`,
    },
  })
  PROVISIONER_API_KEY?: string;

  @Setting({
    description: '`true`: *protected* on a project extends to its datasets and contracts.',
    parse: parseBoolean,
  })
  @IsBoolean()
  PROTECTED_INHERITS = false;

  @Setting({ description: '`true` enables the webhook of the access-request system.', parse: parseBoolean })
  @IsBoolean()
  ACCESSREQ_INTEGRATION_ENABLED = false;

  @Setting({
    description: 'Who may post to the webhook: addresses, CIDR blocks or `*`; comma list. Empty: nobody.',
    parse: parseList,
  })
  @IsString({ each: true })
  ACCESSREQ_ALLOWED_IP_ADDRESSES: string[] = [];

  @Setting({ description: 'Where the claims of the webhook are confirmed (API of the access-request system).' })
  @IsOptional()
  @IsUrl(urlRules)
  ACCESSREQ_URL?: string;

  @Setting({ description: 'User at the API of the access-request system.' })
  @IsOptional()
  @IsString()
  ACCESSREQ_API_USER?: string;

  @Setting({ description: 'Key at the API of the access-request system.', secret: true })
  @IsOptional()
  @IsString()
  ACCESSREQ_API_KEY?: string;

  @Setting({ description: 'Days an access lasts whose entitlement has no end; 0: without end.', parse: parseNumber })
  @IsInt()
  @Min(0)
  @Max(36500)
  ACCESS_DEFAULT_EXPIRATION_DAYS = 90;

  @Setting({
    description:
      'Days for which the catalog notes that a record was withdrawn from a view. A harvester that pauses longer must ' +
      'read everything again.',
    parse: parseNumber,
  })
  @IsInt()
  @Min(1)
  @Max(36500)
  WITHDRAWN_RETENTION_DAYS = 90;

  @Setting({ description: 'Kind of the identity provider: `keycloak`, `scim` or `none`.' })
  @IsIn(providerNames)
  IDP_PROVIDER: ProviderName = 'none';

  @Setting({ description: 'Address of Keycloak.' })
  @IsOptional()
  @IsUrl(urlRules)
  IDP_URL?: string;

  @Setting({ description: 'Realm of Keycloak.' })
  @IsOptional()
  @IsString()
  IDP_REALM?: string;

  @Setting({ description: 'Client that reads the accounts of Keycloak.' })
  @IsOptional()
  @IsString()
  IDP_CLIENT_ID?: string;

  @Setting({ description: 'Secret of that client.', secret: true })
  @IsOptional()
  @IsString()
  IDP_CLIENT_SECRET?: string;

  @Setting({ description: 'Base address of the SCIM 2.0 service.' })
  @IsOptional()
  @IsUrl(urlRules)
  SCIM_URL?: string;

  @Setting({ description: 'Bearer token of the SCIM 2.0 service.', secret: true })
  @IsOptional()
  @IsString()
  SCIM_TOKEN?: string;

  @Setting({ description: 'When all accounts are synchronised, as five cron fields in UTC. Unset: on demand only.' })
  @IsOptional()
  @IsString()
  IDP_SYNC_CRON?: string;

  /** Whether the hashes of keys are keyed by a secret of our own. */
  get hasKeyHashSecret(): boolean {
    return this.KEY_HASH_SECRET !== developmentSecret;
  }

  /** Rules between settings, and those a decorator cannot say. */
  check(): string[] {
    const needed = neededByProvider[this.IDP_PROVIDER] ?? [];
    return [
      ...(this.isProduction && !this.hasKeyHashSecret ? ['KEY_HASH_SECRET must be set in production'] : []),
      ...this.checkEdge(),
      ...this.checkSessions(),
      ...needed
        .filter((name) => this[name] === undefined)
        .map((name) => `${name} must be set when IDP_PROVIDER is ${this.IDP_PROVIDER}`),
      ...badSchedule(this),
      ...addressProblems('ACCESSREQ_ALLOWED_IP_ADDRESSES', this.ACCESSREQ_ALLOWED_IP_ADDRESSES),
    ];
  }
}

function badSchedule({ IDP_SYNC_CRON: pattern, IDP_PROVIDER: provider }: CatalogSettings): string[] {
  if (pattern === undefined) return [];
  if (provider === 'none') return ['IDP_PROVIDER must be set when IDP_SYNC_CRON is'];
  const rule = 'IDP_SYNC_CRON must be five cron fields, e.g. "0 3 * * *" for every night at three (UTC)';
  return isCron(pattern) ? [] : [rule];
}

/** Whether a text is five cron fields that come round, which `0 0 31 4,6 *` do not. With a sixth, seconds come first. */
function isCron(text: string): boolean {
  if (!/^\S+( \S+){4}$/.test(text)) return false;
  try {
    return new Cron(text, { paused: true, timezone: 'UTC' }).nextRun() !== null;
  } catch {
    return false;
  }
}

const neededByProvider: Readonly<Partial<Record<string, readonly (keyof CatalogSettings)[]>>> = {
  keycloak: ['IDP_URL', 'IDP_REALM', 'IDP_CLIENT_ID', 'IDP_CLIENT_SECRET'],
  scim: ['SCIM_URL', 'SCIM_TOKEN'],
};

/** The settings of this process. @throws InvalidSettingsError */
export function catalogSettings(environment: Environment = process.env): CatalogSettings {
  return loadSettings(CatalogSettings, environment);
}
