import { isCron, Setting } from '@rdc/settings';
import { IsIn, IsOptional, IsString, IsUrl } from 'class-validator';

/** The kinds of identity provider that the setting `IDP_PROVIDER` accepts. */
export const providerNames = ['none', 'scim', 'keycloak'] as const;

/** One of the kinds of identity provider. */
export type ProviderName = (typeof providerNames)[number];

const urlRules = { require_tld: false, require_protocol: true, protocols: ['http', 'https'] };

/** The settings of the identity provider and of the synchronisation of accounts. */
export class IdentityProviderSettings {
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

  check(): string[] {
    const required = requiredByProvider[this.IDP_PROVIDER] ?? [];
    const missing = required.filter((name) => this[name] === undefined);
    return [
      ...missing.map((name) => `${name} must be set if IDP_PROVIDER is ${this.IDP_PROVIDER}`),
      ...scheduleProblems(this),
    ];
  }
}

function scheduleProblems({ IDP_SYNC_CRON: pattern, IDP_PROVIDER: provider }: IdentityProviderSettings): string[] {
  if (pattern === undefined) return [];
  if (provider === 'none') return ['IDP_PROVIDER must be keycloak or scim if IDP_SYNC_CRON is set'];
  const rule = 'IDP_SYNC_CRON must be five cron fields in UTC that match a date, e.g. "0 3 * * *" for 03:00 every day';
  return isCron(pattern) ? [] : [rule];
}

const requiredByProvider: Readonly<Partial<Record<string, readonly (keyof IdentityProviderSettings)[]>>> = {
  keycloak: ['IDP_URL', 'IDP_REALM', 'IDP_CLIENT_ID', 'IDP_CLIENT_SECRET'],
  scim: ['SCIM_URL', 'SCIM_TOKEN'],
};
