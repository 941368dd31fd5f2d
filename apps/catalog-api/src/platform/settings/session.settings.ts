import { minSessionSecretLength } from '@rdc/auth';
import { EdgeSettings } from '@rdc/http';
import { parseNumber, Setting } from '@rdc/settings';
import { IsEmail, IsInt, IsOptional, IsString, IsUrl, Max, MaxLength, Min, MinLength } from 'class-validator';
import { maxPasswordLength, minPasswordLength } from './password-length.js';

/** The shortest idle time: the last use is noted to the minute only, and a shorter time would end sessions in use. */
const minIdleMinutes = 5;

/** How people sign in, and how failures to do so are limited (catalog interface, sections 2 and 3). */
export abstract class SessionSettings extends EdgeSettings {
  @Setting({
    description: `Signs sessions; the same for catalog and provisioner, ${String(minSessionSecretLength)} characters or more; required in production.`,
    defaultText: 'made anew at every start, so that no session survives it',
    secret: true,
  })
  @IsOptional()
  @MinLength(minSessionSecretLength)
  SESSION_SECRET?: string;

  @Setting({ description: 'Hours after which a session ends.', parse: parseNumber })
  @IsInt()
  @Min(1)
  @Max(720)
  SESSION_HOURS = 12;

  @Setting({
    description:
      'Minutes without use after which a session ends; 0: only `SESSION_HOURS` ends it. Otherwise 5 or more. Renewing the token of an open page is no use.',
    parse: parseNumber,
  })
  @IsInt()
  @Min(0)
  @Max(720 * 60)
  SESSION_IDLE_MINUTES = 60;

  @Setting({
    description: 'Hours for which a one-time link for setting a password can be used.',
    parse: parseNumber,
  })
  @IsInt()
  @Min(1)
  @Max(720)
  PASSWORD_LINK_HOURS = 24;

  @Setting({ description: 'E-mail address of the first administrator, made at the first start only.' })
  @IsOptional()
  @IsEmail({ require_tld: false })
  @MaxLength(254)
  ADMIN_EMAIL?: string;

  @Setting({
    description: `Password of the first administrator, ${String(minPasswordLength)} characters or more.`,
    secret: true,
  })
  @IsOptional()
  @MinLength(minPasswordLength)
  @MaxLength(maxPasswordLength)
  ADMIN_PASSWORD?: string;

  @Setting({ description: 'Issuer at which people sign in (OpenID Connect). Unset: by local password only.' })
  @IsOptional()
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] })
  OIDC_ISSUER?: string;

  @Setting({ description: 'Client of the catalog at that issuer; it may redirect to `/api/session/oidc/callback`.' })
  @IsOptional()
  @IsString()
  OIDC_CLIENT_ID?: string;

  @Setting({ description: 'Secret of that client.', secret: true })
  @IsOptional()
  @IsString()
  OIDC_CLIENT_SECRET?: string;

  @Setting({
    description:
      'Claim that holds a person’s roles, e.g. `roles` or `realm_access.roles`: each login makes their roles what it says. Unset: roles are given in the catalog.',
  })
  @IsOptional()
  @IsString()
  OIDC_ROLES_CLAIM?: string;

  @Setting({
    description: 'Refused posts to the webhook from one network in a minute; 0: any number.',
    parse: parseNumber,
  })
  @IsInt()
  @Min(0)
  RATE_LIMIT_REFUSED_POSTS = 300;

  @Setting({ description: 'Failed logins from one network in a minute; 0: any number.', parse: parseNumber })
  @IsInt()
  @Min(0)
  RATE_LIMIT_FAILED_LOGINS = 10;

  /** Rules between these settings. */
  protected checkSessions(): string[] {
    const problems: string[] = [];
    if (this.SESSION_IDLE_MINUTES > 0 && this.SESSION_IDLE_MINUTES < minIdleMinutes) {
      problems.push(`SESSION_IDLE_MINUTES must be 0, or ${String(minIdleMinutes)} or more`);
    }
    if (this.isProduction && this.SESSION_SECRET === undefined)
      problems.push('SESSION_SECRET must be set in production');
    if ((this.ADMIN_EMAIL === undefined) !== (this.ADMIN_PASSWORD === undefined)) {
      problems.push('ADMIN_EMAIL and ADMIN_PASSWORD must be set together');
    }
    if (this.OIDC_ISSUER === undefined) return problems;
    if (this.isProduction && !isConfidential(this.OIDC_ISSUER))
      problems.push('OIDC_ISSUER must be https in production, but for names that end in .localhost');
    for (const name of ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const) {
      if (this[name] === undefined) problems.push(`${name} must be set when OIDC_ISSUER is`);
    }
    return problems;
  }
}

/** Whether what is said to an address stays between the two: names under `.localhost` never leave the machine (RFC 6761). */
function isConfidential(address: string): boolean {
  if (!URL.canParse(address)) return true; // which another rule says
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || hostname.endsWith('.localhost');
}
