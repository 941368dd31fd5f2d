import { minSessionSecretLength } from '@rdc/auth';
import { parseNumber, Setting, type Settings } from '@rdc/settings';
import { IsEmail, IsInt, IsOptional, IsString, IsUrl, Max, MaxLength, Min, MinLength } from 'class-validator';
import { HttpSettings } from '../../platform/settings/http.settings.js';
import { maxPasswordLength, minPasswordLength } from './password-length.js';

/** The shortest idle time. The last use is recorded to the minute, so a shorter time would end sessions in use. */
const minIdleMinutes = 5;

/** The settings of sessions, of sign-in and of the first administrator. */
export class SessionSettings {
  @Setting({
    description: `Secret that signs session tokens, at least ${String(minSessionSecretLength)} characters. Catalog and provisioner must have the same value. Required in production.`,
    defaultText: 'a random value at each start, which ends all sessions',
    secret: true,
  })
  @IsOptional()
  @MinLength(minSessionSecretLength)
  SESSION_SECRET?: string;

  @Setting({ description: 'Hours after which a session ends, counted from sign-in.', parse: parseNumber })
  @IsInt()
  @Min(1)
  @Max(720)
  SESSION_HOURS = 12;

  @Setting({
    description:
      `Minutes without a request after which a session ends, at least ${String(minIdleMinutes)}. If 0, a session ends only ` +
      'after `SESSION_HOURS`. The automatic renewal of a token by an open page does not count as a request.',
    parse: parseNumber,
  })
  @IsInt()
  @Min(0)
  @Max(720 * 60)
  SESSION_IDLE_MINUTES = 60;

  @Setting({
    description:
      'E-mail address of the first administrator. The account is created at a start at which no user has a local ' +
      'password. Set `ADMIN_PASSWORD` as well.',
  })
  @IsOptional()
  @IsEmail({ require_tld: false })
  @MaxLength(254)
  ADMIN_EMAIL?: string;

  @Setting({
    description: `Password of the first administrator, at least ${String(minPasswordLength)} characters. Set \`ADMIN_EMAIL\` as well.`,
    secret: true,
  })
  @IsOptional()
  @MinLength(minPasswordLength)
  @MaxLength(maxPasswordLength)
  ADMIN_PASSWORD?: string;

  @Setting({
    description:
      'Issuer URL of the OpenID Connect provider at which people sign in. If unset, people sign in with a local password ' +
      'only.',
  })
  @IsOptional()
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] })
  OIDC_ISSUER?: string;

  @Setting({
    description:
      'Client ID of the catalog at `OIDC_ISSUER`. The issuer must allow this client to redirect to ' +
      '`/api/session/oidc/callback`. Required if `OIDC_ISSUER` is set.',
  })
  @IsOptional()
  @IsString()
  OIDC_CLIENT_ID?: string;

  @Setting({ description: 'Client secret for `OIDC_CLIENT_ID`. Required if `OIDC_ISSUER` is set.', secret: true })
  @IsOptional()
  @IsString()
  OIDC_CLIENT_SECRET?: string;

  @Setting({
    description:
      'Claim that contains the roles of a person at `OIDC_ISSUER`, e.g. `roles` or `realm_access.roles`. Each sign-in ' +
      'replaces the roles of the person by the roles in the claim. If unset, administrators assign roles in the catalog.',
  })
  @IsOptional()
  @IsString()
  OIDC_ROLES_CLAIM?: string;

  check(settings: Settings): string[] {
    const { isProduction } = settings.get(HttpSettings);
    const problems: string[] = [];
    if (this.SESSION_IDLE_MINUTES > 0 && this.SESSION_IDLE_MINUTES < minIdleMinutes) {
      problems.push(`SESSION_IDLE_MINUTES must be 0 or at least ${String(minIdleMinutes)}`);
    }
    if (isProduction && this.SESSION_SECRET === undefined) problems.push('SESSION_SECRET must be set in production');
    if ((this.ADMIN_EMAIL === undefined) !== (this.ADMIN_PASSWORD === undefined)) {
      problems.push('ADMIN_EMAIL and ADMIN_PASSWORD must be set together');
    }
    if (this.OIDC_ISSUER === undefined) return problems;
    if (isProduction && !isConfidential(this.OIDC_ISSUER))
      problems.push('OIDC_ISSUER must begin with https:// in production, unless its host name ends in .localhost');
    for (const name of ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const) {
      if (this[name] === undefined) problems.push(`${name} must be set if OIDC_ISSUER is set`);
    }
    return problems;
  }
}

/** Whether other machines cannot read the traffic to a URL. Names under `.localhost` stay on the machine (RFC 6761). */
function isConfidential(address: string): boolean {
  if (!URL.canParse(address)) return true; // IsUrl reports the problem
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || hostname.endsWith('.localhost');
}
