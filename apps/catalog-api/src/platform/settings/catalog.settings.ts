import { isServiceKey, serviceKeyPrefix, serviceKeyRandomLength } from '@rdc/auth';
import { addressProblems } from '@rdc/http';
import { isCron, loadSettings, parseBoolean, parseList, parseNumber, Setting, type Environment } from '@rdc/settings';
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

import { providerNames, type ProviderName } from './provider-name.js';
import { SessionSettings } from './session.settings.js';

const urlRules = { require_tld: false, require_protocol: true, protocols: ['http', 'https'] };

const developmentSecret = 'development only: set KEY_HASH_SECRET';

/** The settings of catalog-api. Each is read from the environment variable of its name. */
export class CatalogSettings extends SessionSettings {
  override BODY_LIMIT = 16 * 1024 * 1024;

  @Setting({
    description: "URL of the catalog's Postgres database: `postgres://user:password@host:port/name`.",
    secret: true,
  })
  @Matches(/^postgres(ql)?:\/\//, {
    message: 'DATABASE_URL must be set to a URL that begins with postgres:// or postgresql://',
  })
  DATABASE_URL!: string;

  @Setting({
    description: 'Maximum number of connections that one process of the catalog opens to Postgres.',
    parse: parseNumber,
  })
  @IsInt()
  @Min(2)
  @Max(1000)
  DATABASE_POOL_SIZE = 20;

  @Setting({
    description:
      'Value of `source` in every exported record that was created in this catalog. If the value is a web address, the ' +
      'identifiers in linked data begin with it.',
    defaultText: 'the origin of the request',
  })
  @IsOptional()
  @IsString()
  @MaxLength(255)
  SERVER_URL?: string;

  @Setting({
    description:
      'Name of the organisation that runs the catalog. Exported records show it as the affiliation of custodians and ' +
      'personnel; linked data shows it as the publisher. If unset, exported records show no affiliation.',
  })
  @IsOptional()
  @IsString()
  HOME_ORGANISATION?: string;

  @Setting({ description: 'Prefix of new accessions. An accession is this prefix followed by a number.' })
  @Matches(/^[A-Za-z][\w.:-]{0,31}$/, {
    message: 'ACCESSION_PREFIX must begin with a letter and contain 1 to 32 letters, digits or characters of _.:-',
  })
  ACCESSION_PREFIX = 'RDC_';

  @Setting({
    description:
      'Secret that protects stored keys, password links, recovery codes and second factors. Required in production. If it ' +
      'changes while `KEY_HASH_SECRET_PREVIOUS` is unset, all these secrets become invalid.',
    defaultText: 'a fixed value, for development only',
    secret: true,
  })
  @IsString()
  KEY_HASH_SECRET = developmentSecret;

  @Setting({
    description:
      'Previous value of `KEY_HASH_SECRET`. While it is set, keys, links, codes and second factors that were created under ' +
      'the previous value remain valid.',
    secret: true,
  })
  @IsOptional()
  @IsString()
  KEY_HASH_SECRET_PREVIOUS?: string;

  @Setting({
    description:
      'Service key of the provisioner: `rdcs_` followed by 48 letters and digits. At start, the catalog registers the ' +
      'key with the scopes `storages:write` and `introspection`. Set `CATALOG_API_KEY` of the provisioner to the same ' +
      'value. If the value changes, the previous key remains valid for one hour.',
    secret: true,
  })
  @IsOptional()
  @ValidateBy({
    name: 'isServiceKey',
    validator: {
      validate: (value) => typeof value === 'string' && isServiceKey(value),
      defaultMessage: () =>
        `PROVISIONER_API_KEY must be ${serviceKeyPrefix} followed by ${String(serviceKeyRandomLength)} letters and digits`,
    },
  })
  PROVISIONER_API_KEY?: string;

  @Setting({
    description:
      'Whether permission to see a protected project includes the datasets and contracts of the project. If `false`, ' +
      'each dataset and contract requires a separate permission.',
    parse: parseBoolean,
  })
  @IsBoolean()
  PROTECTED_INHERITS = false;

  @Setting({
    description:
      'Whether the catalog accepts entitlements that the access-request system posts to the webhook. If `false`, the ' +
      'webhook answers 403.',
    parse: parseBoolean,
  })
  @IsBoolean()
  ACCESSREQ_INTEGRATION_ENABLED = false;

  @Setting({
    description:
      'Addresses and CIDR blocks that may post to the webhook of the access-request system, separated by commas. `*` ' +
      'allows every address. If empty, every post is refused.',
    parse: parseList,
  })
  @IsString({ each: true })
  ACCESSREQ_ALLOWED_IP_ADDRESSES: string[] = [];

  @Setting({
    description:
      'URL of the access-request system. If set, the catalog confirms each posted entitlement at this URL before ' +
      'granting access. If unset, posts are trusted.',
  })
  @IsOptional()
  @IsUrl(urlRules)
  ACCESSREQ_URL?: string;

  @Setting({ description: 'User as which the catalog calls the API of the access-request system at `ACCESSREQ_URL`.' })
  @IsOptional()
  @IsString()
  ACCESSREQ_API_USER?: string;

  @Setting({ description: 'API key of the catalog for the access-request system at `ACCESSREQ_URL`.', secret: true })
  @IsOptional()
  @IsString()
  ACCESSREQ_API_KEY?: string;

  @Setting({
    description:
      'Days after which an access ends if its entitlement has no end date. If 0, such an access does not end.',
    parse: parseNumber,
  })
  @IsInt()
  @Min(0)
  @Max(36500)
  ACCESS_DEFAULT_EXPIRATION_DAYS = 90;

  @Setting({
    description:
      'Days for which the catalog stores the time at which a record was withdrawn from a view. A harvester that reads less ' +
      'often must read the complete list again.',
    parse: parseNumber,
  })
  @IsInt()
  @Min(1)
  @Max(36500)
  WITHDRAWN_RETENTION_DAYS = 90;

  @Setting({
    description:
      'Identity provider from which the catalog reads accounts: `keycloak`, `scim` (SCIM 2.0) or `none`. If `none`, ' +
      'the catalog reads no accounts.',
  })
  @IsIn(providerNames)
  IDP_PROVIDER: ProviderName = 'none';

  @Setting({ description: 'URL of the Keycloak server. Required if `IDP_PROVIDER` is `keycloak`.' })
  @IsOptional()
  @IsUrl(urlRules)
  IDP_URL?: string;

  @Setting({ description: 'Keycloak realm from which accounts are read. Required if `IDP_PROVIDER` is `keycloak`.' })
  @IsOptional()
  @IsString()
  IDP_REALM?: string;

  @Setting({
    description:
      'Client ID with which the catalog reads accounts from Keycloak. Required if `IDP_PROVIDER` is `keycloak`.',
  })
  @IsOptional()
  @IsString()
  IDP_CLIENT_ID?: string;

  @Setting({
    description: 'Client secret for `IDP_CLIENT_ID`. Required if `IDP_PROVIDER` is `keycloak`.',
    secret: true,
  })
  @IsOptional()
  @IsString()
  IDP_CLIENT_SECRET?: string;

  @Setting({ description: 'Base URL of the SCIM 2.0 service. Required if `IDP_PROVIDER` is `scim`.' })
  @IsOptional()
  @IsUrl(urlRules)
  SCIM_URL?: string;

  @Setting({
    description: 'Bearer token for the SCIM 2.0 service at `SCIM_URL`. Required if `IDP_PROVIDER` is `scim`.',
    secret: true,
  })
  @IsOptional()
  @IsString()
  SCIM_TOKEN?: string;

  @Setting({
    description:
      'Cron pattern (five fields, UTC) of the times at which the catalog reads all accounts from the identity provider. ' +
      'If unset, all accounts are read only when an administrator requests a synchronisation.',
  })
  @IsOptional()
  @IsString()
  IDP_SYNC_CRON?: string;

  /** Whether `KEY_HASH_SECRET` differs from the fixed value for development. */
  get hasKeyHashSecret(): boolean {
    return this.KEY_HASH_SECRET !== developmentSecret;
  }

  /** Returns violations of the rules that concern several settings or that a decorator cannot express. */
  check(): string[] {
    const required = requiredByProvider[this.IDP_PROVIDER] ?? [];
    return [
      ...(this.isProduction && !this.hasKeyHashSecret ? ['KEY_HASH_SECRET must be set in production'] : []),
      ...this.checkEdge(),
      ...this.checkSessions(),
      ...required
        .filter((name) => this[name] === undefined)
        .map((name) => `${name} must be set if IDP_PROVIDER is ${this.IDP_PROVIDER}`),
      ...scheduleProblems(this),
      ...addressProblems('ACCESSREQ_ALLOWED_IP_ADDRESSES', this.ACCESSREQ_ALLOWED_IP_ADDRESSES),
    ];
  }
}

function scheduleProblems({ IDP_SYNC_CRON: pattern, IDP_PROVIDER: provider }: CatalogSettings): string[] {
  if (pattern === undefined) return [];
  if (provider === 'none') return ['IDP_PROVIDER must be keycloak or scim if IDP_SYNC_CRON is set'];
  const rule = 'IDP_SYNC_CRON must be five cron fields in UTC that match a date, e.g. "0 3 * * *" for 03:00 every day';
  return isCron(pattern) ? [] : [rule];
}

const requiredByProvider: Readonly<Partial<Record<string, readonly (keyof CatalogSettings)[]>>> = {
  keycloak: ['IDP_URL', 'IDP_REALM', 'IDP_CLIENT_ID', 'IDP_CLIENT_SECRET'],
  scim: ['SCIM_URL', 'SCIM_TOKEN'],
};

/** Reads the settings from an environment. @throws InvalidSettingsError if any setting is invalid */
export function catalogSettings(environment: Environment = process.env): CatalogSettings {
  return loadSettings(CatalogSettings, environment);
}
