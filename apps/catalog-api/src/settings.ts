import { AddressList } from '@rdc/auth';
import {
  loadSettings,
  parseBoolean,
  parseBytes,
  parseList,
  parseNumber,
  Setting,
  type Environment,
} from '@rdc/settings';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, IsUrl, Matches, Max, MaxLength, Min } from 'class-validator';
import { Cron } from 'croner';
import { SessionSettings } from './sessions/session.settings.js';

const urlRules = { require_tld: false, require_protocol: true, protocols: ['http', 'https'] };

const developmentSecret = 'development only: set KEY_HASH_SECRET';

/** What an operator tells catalog-api through its environment (catalog interface, section 2). */
export class CatalogSettings extends SessionSettings {
  @Setting({ description: '`production` refuses defaults that are made for development.' })
  @IsString()
  NODE_ENV = 'development';

  @Setting({ description: 'Postgres of the catalog: `postgres://user:password@host:port/name`.', secret: true })
  @Matches(/^postgres(ql)?:\/\//, { message: 'DATABASE_URL must be set and begin with postgres://' })
  DATABASE_URL!: string;

  @Setting({ description: 'Connections to Postgres that one process keeps at most.', parse: parseNumber })
  @IsInt()
  @Min(2)
  @Max(1000)
  DATABASE_POOL_SIZE = 20;

  @Setting({ description: 'Address to listen on.' })
  @IsString()
  HOST = '127.0.0.1';

  @Setting({ description: 'Port to listen on; 0 takes a free one.', parse: parseNumber })
  @IsInt()
  @Min(0)
  @Max(65535)
  PORT = 3000;

  @Setting({ description: 'The largest body accepted, e.g. `16M`.', parse: parseBytes })
  @IsInt({ message: 'BODY_LIMIT must be a size such as 16M' })
  @Min(1024)
  BODY_LIMIT = 16 * 1024 * 1024;

  @Setting({ description: 'Prefix under which an ingress forwards to this service, without its last slash.' })
  @IsOptional()
  @Matches(/^\/.*[^/]$/, { message: 'BASE_PATH must begin with a slash and not end with one' })
  BASE_PATH?: string;

  @Setting({ description: 'Least level of what is logged: `debug`, `info`, `warn`, `error` or `silent`.' })
  @IsIn(['debug', 'info', 'warn', 'error', 'silent'])
  LOG_LEVEL = 'info';

  @Setting({ description: 'What our own gateway on the same machine proves itself with.', secret: true })
  @IsOptional()
  @IsString()
  GATEWAY_SECRET?: string;

  @Setting({
    description: 'Addresses and CIDR blocks of proxies whose `X-Forwarded-For` counts; comma list.',
    parse: parseList,
  })
  @IsString({ each: true })
  TRUSTED_PROXIES: string[] = [];

  @Setting({
    description: 'The value of `source` in every exported record of our own.',
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

  @Setting({ description: 'The key that reads and writes everything. Unset: none exists.', secret: true })
  @IsOptional()
  @IsString()
  GLOBAL_API_KEY?: string;

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

  @Setting({ description: 'Kind of the identity provider: `keycloak`, `scim` or `none`.' })
  @IsIn(['keycloak', 'scim', 'none'])
  IDP_PROVIDER: 'keycloak' | 'scim' | 'none' = 'none';

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

  @Setting({ description: 'When all accounts are synchronised, as a cron pattern in UTC. Unset: on demand only.' })
  @IsOptional()
  @IsString()
  IDP_SYNC_CRON?: string;

  /** Rules between settings, and those a decorator cannot say. */
  check(): string[] {
    const needed = neededByProvider[this.IDP_PROVIDER] ?? [];
    return [
      ...(this.NODE_ENV === 'production' && this.KEY_HASH_SECRET === developmentSecret
        ? ['KEY_HASH_SECRET must be set in production']
        : []),
      ...this.checkSessions(this.NODE_ENV === 'production'),
      ...needed
        .filter((name) => this[name] === undefined)
        .map((name) => `${name} must be set when IDP_PROVIDER is ${this.IDP_PROVIDER}`),
      ...badSchedule(this),
      ...badAddresses('TRUSTED_PROXIES', this.TRUSTED_PROXIES),
      ...badAddresses('ACCESSREQ_ALLOWED_IP_ADDRESSES', this.ACCESSREQ_ALLOWED_IP_ADDRESSES),
    ];
  }
}

function badSchedule({ IDP_SYNC_CRON: pattern, IDP_PROVIDER: provider }: CatalogSettings): string[] {
  if (pattern === undefined) return [];
  if (provider === 'none') return ['IDP_PROVIDER must be set when IDP_SYNC_CRON is'];
  try {
    new Cron(pattern, { paused: true });
    return [];
  } catch {
    return ['IDP_SYNC_CRON must be a cron pattern, for instance 0 3 * * *'];
  }
}

const neededByProvider: Readonly<Partial<Record<string, readonly (keyof CatalogSettings)[]>>> = {
  keycloak: ['IDP_URL', 'IDP_REALM', 'IDP_CLIENT_ID', 'IDP_CLIENT_SECRET'],
  scim: ['SCIM_URL', 'SCIM_TOKEN'],
};

function badAddresses(setting: string, entries: readonly string[]): string[] {
  try {
    new AddressList(entries);
    return [];
  } catch (error) {
    return [`${setting}: ${(error as RangeError).message}`];
  }
}

/** The settings of this process. @throws InvalidSettingsError */
export function catalogSettings(environment: Environment = process.env): CatalogSettings {
  return loadSettings(CatalogSettings, environment);
}
