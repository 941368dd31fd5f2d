import { AddressList, minSessionSecretLength } from '@rdc/auth';
import {
  loadSettings,
  parseBoolean,
  parseBytes,
  parseList,
  parseNumber,
  Setting,
  type Environment,
} from '@rdc/settings';
import { IsBoolean, IsIn, IsInt, IsNumber, IsOptional, IsString, Matches, Max, Min, MinLength } from 'class-validator';
import { availableParallelism } from 'node:os';
import { isS3, type S3Access } from './s3/s3-location.js';

/** Where deliveries come from and data goes to. */
const placeShape = /^(file:\/\/\/.|s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/|$))/;

const endpointShape = /^https?:\/\/[^/]+\/?$/;

/** What an operator tells the provisioner and its worker through their environment (provisioner interface, section 3). */
export class ProvisionerSettings {
  @Setting({ description: '`production` refuses what is made for development.' })
  @IsString()
  NODE_ENV = 'development';

  @Setting({ description: 'Address to listen on.' })
  @IsString()
  HOST = '127.0.0.1';

  @Setting({
    description: 'Port to listen on; 0 takes a free one. The worker answers `/health` there.',
    parse: parseNumber,
  })
  @IsInt()
  @Min(0)
  @Max(65535)
  PORT = 3001;

  @Setting({ description: 'Prefix under which an ingress forwards to this service, without its last slash.' })
  @IsOptional()
  @Matches(/^\/.*[^/]$/, { message: 'BASE_PATH must begin with a slash and not end with one' })
  BASE_PATH?: string;

  @Setting({ description: 'Least level of what is logged: `debug`, `info`, `warn`, `error` or `silent`.' })
  @IsIn(['debug', 'info', 'warn', 'error', 'silent'])
  LOG_LEVEL = 'info';

  @Setting({ description: 'The largest body accepted, e.g. `1M`.', parse: parseBytes })
  @IsInt({ message: 'BODY_LIMIT must be a size such as 1M' })
  @Min(1024)
  BODY_LIMIT = 1024 * 1024;

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

  @Setting({ description: 'The key that may do everything. Unset: none exists.', secret: true })
  @IsOptional()
  @IsString()
  GLOBAL_API_KEY?: string;

  @Setting({
    description: `Signs sessions; the same as the catalog's, ${String(minSessionSecretLength)} characters or more. Unset: keys only.`,
    secret: true,
  })
  @IsOptional()
  @MinLength(minSessionSecretLength)
  SESSION_SECRET?: string;

  @Setting({ description: '`key`: callers send a key. `none`: whoever reaches the port may do everything.' })
  @IsIn(['key', 'none'])
  PROVISIONER_AUTH: 'key' | 'none' = 'key';

  @Setting({ description: '`true` confirms that `PROVISIONER_AUTH=none` is meant in production.', parse: parseBoolean })
  @IsBoolean()
  PROVISIONER_AUTH_NONE_CONFIRMED = false;

  @Setting({ description: 'The source system, only ever read: a folder `file:///...`, or `s3://bucket/prefix`.' })
  @Matches(placeShape, { message: 'SOURCE_URL must be set and be file:///... or s3://bucket/prefix' })
  SOURCE_URL!: string;

  @Setting({
    description: 'The data storage, in which `data/` is ours: a folder `file:///...`, or `s3://bucket/prefix`.',
  })
  @Matches(placeShape, { message: 'STORAGE_URL must be set and be file:///... or s3://bucket/prefix' })
  STORAGE_URL!: string;

  @Setting({
    description: 'URL of the S3-compatible store of `SOURCE_URL`.',
    defaultText: 'the public one of the region',
  })
  @IsOptional()
  @Matches(endpointShape, { message: 'SOURCE_S3_ENDPOINT must be an http:// or https:// URL' })
  SOURCE_S3_ENDPOINT?: string;

  @Setting({ description: 'Region of the bucket in `SOURCE_URL`.' })
  @IsString()
  SOURCE_S3_REGION = 'us-east-1';

  @Setting({ description: 'Access key for the bucket in `SOURCE_URL`; it needs to read and list.' })
  @IsOptional()
  @IsString()
  SOURCE_S3_ACCESS_KEY_ID?: string;

  @Setting({ description: 'What belongs to `SOURCE_S3_ACCESS_KEY_ID`.', secret: true })
  @IsOptional()
  @IsString()
  SOURCE_S3_SECRET_ACCESS_KEY?: string;

  @Setting({
    description: 'URL of the S3-compatible store of `STORAGE_URL`.',
    defaultText: 'the public one of the region',
  })
  @IsOptional()
  @Matches(endpointShape, { message: 'STORAGE_S3_ENDPOINT must be an http:// or https:// URL' })
  STORAGE_S3_ENDPOINT?: string;

  @Setting({ description: 'Region of the bucket in `STORAGE_URL`.' })
  @IsString()
  STORAGE_S3_REGION = 'us-east-1';

  @Setting({ description: 'Access key for the bucket in `STORAGE_URL`; it needs to read, list, write and remove.' })
  @IsOptional()
  @IsString()
  STORAGE_S3_ACCESS_KEY_ID?: string;

  @Setting({ description: 'What belongs to `STORAGE_S3_ACCESS_KEY_ID`.', secret: true })
  @IsOptional()
  @IsString()
  STORAGE_S3_SECRET_ACCESS_KEY?: string;

  @Setting({
    description: 'The queue, by its scheme: `redis://`, `rediss://` or `postgres://` (a database of its own).',
    secret: true,
  })
  @Matches(/^(rediss?|postgres(ql)?):\/\//, {
    message: 'QUEUE_URL must be set and begin with redis://, rediss:// or postgres://',
  })
  QUEUE_URL!: string;

  @Setting({ description: 'Imports that one worker runs at once.', parse: parseNumber })
  @IsInt()
  @Min(1)
  @Max(64)
  IMPORT_CONCURRENCY = 2;

  @Setting({
    description:
      'Threads that copy in one worker, 1 to 64; from or to a bucket, twice as many files are on their way. More than cores only help where the storage is far away.',
    defaultText: 'the number of cores, at least 2',
    parse: parseNumber,
  })
  @IsInt()
  @Min(1)
  @Max(64)
  COPY_THREADS = Math.max(2, availableParallelism());

  @Setting({ description: 'What becomes of a symbolic link in a delivery: `refuse` the dataset, or `skip` the link.' })
  @IsIn(['refuse', 'skip'])
  SYMLINKS: 'refuse' | 'skip' = 'refuse';

  @Setting({ description: 'Bytes of the storage that stay free, e.g. `10G`.', parse: parseBytes })
  @IsInt({ message: 'STORAGE_RESERVE must be a size such as 10G' })
  @Min(0)
  STORAGE_RESERVE = 0;

  @Setting({ description: 'Name of the file that says a dataset or a whole submission is complete.' })
  @Matches(/^[^/\0]{1,255}$/, { message: 'SOURCE_READY must be the name of a file' })
  SOURCE_READY = '.ready';

  @Setting({
    description: 'Seconds without any change after which a delivery without a marker counts as complete.',
    parse: parseNumber,
  })
  @IsNumber()
  @Min(0)
  SOURCE_SETTLE = 60;

  @Setting({ description: '`true`: only the marker file makes a delivery complete.', parse: parseBoolean })
  @IsBoolean()
  SOURCE_READY_ONLY_MARKER = false;

  @Setting({
    description: 'Seconds between two scans of the source for the sizes that lists show.',
    parse: parseNumber,
  })
  @IsNumber()
  @Min(1)
  SOURCE_SCAN_INTERVAL = 30;

  /** Rules between settings, and those a decorator cannot say. */
  check(): string[] {
    const problems: string[] = [...this.checkS3('SOURCE'), ...this.checkS3('STORAGE')];
    if (this.PROVISIONER_AUTH === 'none' && this.NODE_ENV === 'production' && !this.PROVISIONER_AUTH_NONE_CONFIRMED) {
      problems.push('PROVISIONER_AUTH=none in production must be confirmed with PROVISIONER_AUTH_NONE_CONFIRMED=true');
    }
    try {
      new AddressList(this.TRUSTED_PROXIES);
    } catch (error) {
      problems.push(`TRUSTED_PROXIES: ${(error as RangeError).message}`);
    }
    return problems;
  }

  /** How the store of a side is reached. */
  s3Access(side: 'SOURCE' | 'STORAGE'): S3Access {
    return {
      endpoint: this[`${side}_S3_ENDPOINT`],
      region: this[`${side}_S3_REGION`],
      accessKeyId: this[`${side}_S3_ACCESS_KEY_ID`],
      secretAccessKey: this[`${side}_S3_SECRET_ACCESS_KEY`],
    };
  }

  private checkS3(side: 'SOURCE' | 'STORAGE'): string[] {
    const { accessKeyId, secretAccessKey } = this.s3Access(side);
    if (!isS3(this[`${side}_URL`])) return [];
    if (accessKeyId !== undefined && secretAccessKey !== undefined) return [];
    return [`${side}_S3_ACCESS_KEY_ID and ${side}_S3_SECRET_ACCESS_KEY must be set where ${side}_URL is s3://`];
  }
}

/** The settings of this process. @throws InvalidSettingsError */
export function provisionerSettings(environment: Environment = process.env): ProvisionerSettings {
  return loadSettings(ProvisionerSettings, environment);
}
