import { parseNumber, Setting } from '@rdc/settings';
import { IsInt, Min } from 'class-validator';

/** The limits of failures that only the catalog has. */
export class RateLimitsSettings {
  @Setting({
    description:
      'Maximum number of refused posts to the webhook of the access-request system per minute and network, over all ' +
      'replicas. Further refused posts are answered with 429. If 0, there is no limit.',
    parse: parseNumber,
  })
  @IsInt()
  @Min(0)
  RATE_LIMIT_REFUSED_POSTS = 300;

  @Setting({
    description:
      'Maximum number of failed sign-ins per minute and network, over all replicas. Further sign-ins from the network are ' +
      'answered with 429. If 0, there is no limit.',
    parse: parseNumber,
  })
  @IsInt()
  @Min(0)
  RATE_LIMIT_FAILED_LOGINS = 10;
}
