import { addressProblems } from '@rdc/http';
import { parseList, parseNumber, Setting } from '@rdc/settings';
import { IsInt, IsString, Max, Min } from 'class-validator';

/** The settings of the signed events that the catalog sends to subscribers. */
export class EventsSettings {
  @Setting({
    description:
      'Addresses and CIDR blocks outside the public internet to which the catalog may send events, separated by commas, ' +
      'such as `10.1.2.0/24`. `*` allows every address. Without an entry, receivers at loopback, private and link-local ' +
      'addresses are refused, and receivers need `https`. Receivers at these addresses may use `http`.',
    parse: parseList,
  })
  @IsString({ each: true })
  EVENT_ALLOWED_ADDRESSES: string[] = [];

  @Setting({
    description:
      'Days for which the catalog tries to send an event. Then the delivery fails. A subscription whose receiver accepts no ' +
      'event for this time is paused.',
    parse: parseNumber,
  })
  @IsInt()
  @Min(1)
  @Max(30)
  EVENT_RETRY_DAYS = 5;

  @Setting({
    description:
      'Days for which the catalog stores sent events and their deliveries. Until then, an administrator can send them again.',
    parse: parseNumber,
  })
  @IsInt()
  @Min(1)
  @Max(3650)
  EVENT_RETENTION_DAYS = 30;

  check(): string[] {
    const problems = addressProblems('EVENT_ALLOWED_ADDRESSES', this.EVENT_ALLOWED_ADDRESSES);
    if (this.EVENT_RETENTION_DAYS >= this.EVENT_RETRY_DAYS) return problems;
    return [...problems, 'EVENT_RETENTION_DAYS must be at least EVENT_RETRY_DAYS'];
  }
}
