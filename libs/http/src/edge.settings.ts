import { AddressList } from '@rdc/auth';
import { parseBytes, parseList, parseNumber, Setting } from '@rdc/settings';
import { IsEmail, IsIn, IsInt, IsOptional, IsString, Matches, Max, Min } from 'class-validator';

/** The settings of the HTTP edge that all services share: addresses, limits, trusted proxies and logs. */
export abstract class EdgeSettings {
  @Setting({
    description:
      'The environment of the service. In `production`, the service refuses to start with defaults that are meant for development.',
  })
  @IsString()
  NODE_ENV = 'development';

  @Setting({ description: 'The address on which the service listens.' })
  @IsString()
  HOST = '127.0.0.1';

  @Setting({ description: 'The TCP port on which the service listens. 0 selects a free port.', parse: parseNumber })
  @IsInt()
  @Min(0)
  @Max(65535)
  PORT = 3000;

  @Setting({
    description:
      'The path prefix under which an ingress forwards requests to the service, e.g. `/catalog`, without a slash at its end.',
  })
  @IsOptional()
  @Matches(/^\/.*[^/]$/, { message: 'BASE_PATH must begin with a slash and not end with one' })
  BASE_PATH?: string;

  @Setting({ description: 'The lowest level that is logged: `debug`, `info`, `warn`, `error` or `silent`.' })
  @IsIn(['debug', 'info', 'warn', 'error', 'silent'])
  LOG_LEVEL = 'info';

  @Setting({
    description:
      'The address to which traces are sent by OTLP over HTTP, e.g. `http://collector:4318`. If unset, no traces are sent. OpenTelemetry defines the other `OTEL_*` variables.',
  })
  @IsOptional()
  @Matches(/^https?:\/\/[^\s]+$/, {
    message: 'OTEL_EXPORTER_OTLP_ENDPOINT must be an address such as http://collector:4318',
  })
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;

  @Setting({
    description:
      'The e-mail address for questions about the service, e.g. `data-steward@example.org`. The OpenAPI document states it as `contact`, and `/docs` shows it.',
  })
  @IsOptional()
  @IsEmail({}, { message: 'CONTACT_EMAIL must be an e-mail address' })
  CONTACT_EMAIL?: string;

  @Setting({ description: 'The maximum size of a request body, e.g. `16M`.', parse: parseBytes })
  @IsInt({ message: 'BODY_LIMIT must be a size such as 16M' })
  @Min(1024)
  BODY_LIMIT = 1024 * 1024;

  @Setting({
    description: 'The number of seconds within which a request must arrive, including its body.',
    parse: parseNumber,
  })
  @IsInt()
  @Min(1)
  @Max(3600)
  REQUEST_TIMEOUT = 60;

  @Setting({
    description:
      'The origins of other sites whose pages may call the service with a key (CORS), separated by commas, e.g. `https://portal.example.org`.',
    parse: parseList,
  })
  @Matches(/^https?:\/\/[^/?#*\s]+$/, {
    each: true,
    message: 'CORS_ORIGINS must be origins such as https://portal.example.org',
  })
  CORS_ORIGINS: string[] = [];

  @Setting({
    description:
      'The number of seconds for which a service, or the command `migrate`, waits at its start for its dependencies, such as Postgres. After this time, it exits with an error. 0 makes a single attempt.',
    parse: parseNumber,
  })
  @IsInt()
  @Min(0)
  @Max(3600)
  START_TIMEOUT = 45;

  @Setting({
    description:
      'The number of seconds between a signal to end and the refusal of new connections. In this time, the service answers requests and `/health/ready` answers 503, so that a load balancer stops sending requests.',
    parse: parseNumber,
  })
  @IsInt()
  @Min(0)
  @Max(300)
  SHUTDOWN_DELAY = 0;

  @Setting({
    description:
      'The secret by which the service recognises the gateway of `npm start`, which runs on the same machine.',
    secret: true,
  })
  @IsOptional()
  @IsString()
  GATEWAY_SECRET?: string;

  @Setting({
    description:
      'The IP addresses and CIDR blocks of the proxies whose headers `X-Forwarded-*` and `traceparent` the service trusts, separated by commas.',
    parse: parseList,
  })
  @IsString({ each: true })
  TRUSTED_PROXIES: string[] = [];

  @Setting({
    description: 'The global API key, which may read and write everything. If unset, no such key exists.',
    secret: true,
  })
  @IsOptional()
  @IsString()
  GLOBAL_API_KEY?: string;

  @Setting({
    description:
      'The previous `GLOBAL_API_KEY`, which is accepted during a rotation. While it is set, the service logs a warning at every start.',
    secret: true,
  })
  @IsOptional()
  @IsString()
  GLOBAL_API_KEY_PREVIOUS?: string;

  @Setting({
    description:
      'The maximum number of requests with a wrong key from one network per minute; 0 removes the limit. The replicas of the catalog share one count, and each replica of the provisioner has its own count.',
    parse: parseNumber,
  })
  @IsInt()
  @Min(0)
  RATE_LIMIT_WRONG_KEYS = 300;

  /** Whether the service refuses defaults that are meant for development. */
  get isProduction(): boolean {
    return this.NODE_ENV === 'production';
  }

  /** Returns the problems of these settings that no decorator can detect. */
  protected checkEdge(): string[] {
    return addressProblems('TRUSTED_PROXIES', this.TRUSTED_PROXIES);
  }
}

/** Returns the problems of a setting that lists addresses and CIDR blocks. */
export function addressProblems(setting: string, entries: readonly string[]): string[] {
  try {
    new AddressList(entries);
    return [];
  } catch (error) {
    return [`${setting}: ${(error as RangeError).message}`];
  }
}
