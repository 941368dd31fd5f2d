import { addressProblems } from '@rdc/http';
import { parseBoolean, parseList, parseNumber, Setting } from '@rdc/settings';
import { IsBoolean, IsInt, IsOptional, IsString, IsUrl, Max, Min } from 'class-validator';

const urlRules = { require_tld: false, require_protocol: true, protocols: ['http', 'https'] };

/** The settings of the access-request system and its webhook. */
export class AccessRequestSettings {
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

  check(): string[] {
    return addressProblems('ACCESSREQ_ALLOWED_IP_ADDRESSES', this.ACCESSREQ_ALLOWED_IP_ADDRESSES);
  }
}
