import { AddressList } from '@rdc/auth';
import { parseBytes, parseList, parseNumber, Setting } from '@rdc/settings';
import { IsIn, IsInt, IsOptional, IsString, Matches, Max, Min } from 'class-validator';

/** What every service is told of its own edge: where it listens, whom it believes, what it writes down. */
export abstract class EdgeSettings {
  @Setting({ description: '`production` refuses defaults that are made for development.' })
  @IsString()
  NODE_ENV = 'development';

  @Setting({ description: 'Address to listen on.' })
  @IsString()
  HOST = '127.0.0.1';

  @Setting({ description: 'Port to listen on; 0 takes a free one.', parse: parseNumber })
  @IsInt()
  @Min(0)
  @Max(65535)
  PORT = 3000;

  @Setting({ description: 'Prefix under which an ingress forwards to this service, without its last slash.' })
  @IsOptional()
  @Matches(/^\/.*[^/]$/, { message: 'BASE_PATH must begin with a slash and not end with one' })
  BASE_PATH?: string;

  @Setting({ description: 'Least level of what is logged: `debug`, `info`, `warn`, `error` or `silent`.' })
  @IsIn(['debug', 'info', 'warn', 'error', 'silent'])
  LOG_LEVEL = 'info';

  @Setting({
    description:
      'Where traces are sent by OTLP over HTTP, e.g. `http://collector:4318`; none without it. The other `OTEL_*` variables count as OpenTelemetry defines them.',
  })
  @IsOptional()
  @Matches(/^https?:\/\/[^\s]+$/, {
    message: 'OTEL_EXPORTER_OTLP_ENDPOINT must be an address such as http://collector:4318',
  })
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;

  @Setting({ description: 'The largest body accepted, e.g. `16M`.', parse: parseBytes })
  @IsInt({ message: 'BODY_LIMIT must be a size such as 16M' })
  @Min(1024)
  BODY_LIMIT = 1024 * 1024;

  @Setting({ description: 'Seconds within which a request, its body too, must have come.', parse: parseNumber })
  @IsInt()
  @Min(1)
  @Max(3600)
  REQUEST_TIMEOUT = 60;

  @Setting({
    description: 'Other origins whose pages may call with a key (CORS), e.g. `https://portal.example.org`; comma list.',
    parse: parseList,
  })
  @Matches(/^https?:\/\/[^/?#*\s]+$/, {
    each: true,
    message: 'CORS_ORIGINS must be origins such as https://portal.example.org',
  })
  CORS_ORIGINS: string[] = [];

  @Setting({
    description: 'Seconds that a start waits for what the service needs; then it ends with a sentence.',
    parse: parseNumber,
  })
  @IsInt()
  @Min(0)
  @Max(3600)
  START_TIMEOUT = 45;

  @Setting({
    description:
      'Seconds in which a service that was told to end still answers, but is not ready: time for a balancer to see it.',
    parse: parseNumber,
  })
  @IsInt()
  @Min(0)
  @Max(300)
  SHUTDOWN_DELAY = 0;

  @Setting({ description: 'What our own gateway on the same machine proves itself with.', secret: true })
  @IsOptional()
  @IsString()
  GATEWAY_SECRET?: string;

  @Setting({
    description: 'Addresses and CIDR blocks of proxies whose `X-Forwarded-For` and `traceparent` count; comma list.',
    parse: parseList,
  })
  @IsString({ each: true })
  TRUSTED_PROXIES: string[] = [];

  @Setting({ description: 'The key that reads and writes everything. Unset: none exists.', secret: true })
  @IsOptional()
  @IsString()
  GLOBAL_API_KEY?: string;

  @Setting({
    description:
      'The former `GLOBAL_API_KEY`, accepted as well while callers change to the new one. A warning at every start says that it is set.',
    secret: true,
  })
  @IsOptional()
  @IsString()
  GLOBAL_API_KEY_PREVIOUS?: string;

  @Setting({
    description:
      'Wrong keys from one network in a minute; 0: any number. Replicas of the catalog count together, those of the provisioner each for itself.',
    parse: parseNumber,
  })
  @IsInt()
  @Min(0)
  RATE_LIMIT_WRONG_KEYS = 300;

  /** Whether defaults that are made for development are refused. */
  get isProduction(): boolean {
    return this.NODE_ENV === 'production';
  }

  /** Rules of these settings that a decorator cannot say. */
  protected checkEdge(): string[] {
    return addressProblems('TRUSTED_PROXIES', this.TRUSTED_PROXIES);
  }
}

/** What is wrong with a setting that lists addresses and CIDR blocks. */
export function addressProblems(setting: string, entries: readonly string[]): string[] {
  try {
    new AddressList(entries);
    return [];
  } catch (error) {
    return [`${setting}: ${(error as RangeError).message}`];
  }
}
