import { EdgeSettings } from '@rdc/http';
import { parseBoolean, parseNumber, Setting } from '@rdc/settings';
import { IsBoolean, IsInstance, IsNumber, IsOptional, IsString, Matches, Min } from 'class-validator';
import type { S3Access } from './s3-access.js';
import { StorageReserve } from './storage-reserve.js';

/** Where deliveries come from and data goes to. */
const placeShape = /^(file:\/\/\/.|s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/|$))/;

const endpointShape = /^https?:\/\/[^/]+\/?$/;

/** The two places between which data moves: the source system and the data storage. */
export abstract class SourceAndStorageSettings extends EdgeSettings {
  @Setting({ description: 'The source system, only ever read: a folder `file:///...`, or `s3://bucket/prefix`.' })
  @Matches(placeShape, { message: 'SOURCE_URL must be set and be file:///... or s3://bucket/prefix' })
  SOURCE_URL!: string;

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

  @Setting({
    description: 'The data storage, in which `data/` is ours: a folder `file:///...`, or `s3://bucket/prefix`.',
  })
  @Matches(placeShape, { message: 'STORAGE_URL must be set and be file:///... or s3://bucket/prefix' })
  STORAGE_URL!: string;

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
    description: 'What stays free of the storage: bytes, e.g. `10G`, or a share of all it can hold, e.g. `5%`.',
    defaultText: '`0`',
    parse: (text) => StorageReserve.parse(text),
  })
  @IsInstance(StorageReserve, { message: 'STORAGE_RESERVE must be a size such as 10G, or a share such as 5%' })
  STORAGE_RESERVE: StorageReserve = StorageReserve.none;

  @Setting({
    description: 'Days for which what a failed import has copied is kept, so that trying it again goes on from there.',
    parse: parseNumber,
  })
  @IsNumber()
  @Min(0)
  STAGING_DAYS = 7;

  /** How the store of a side is reached; null where it is a folder. */
  s3Access(side: 'SOURCE' | 'STORAGE'): S3Access | null {
    if (!/^s3:/.test(this[`${side}_URL`])) return null;
    return {
      endpoint: this[`${side}_S3_ENDPOINT`],
      region: this[`${side}_S3_REGION`],
      accessKeyId: this[`${side}_S3_ACCESS_KEY_ID`],
      secretAccessKey: this[`${side}_S3_SECRET_ACCESS_KEY`],
    };
  }

  /** Rules between these settings. */
  protected checkPlaces(): string[] {
    return [...this.checkS3('SOURCE'), ...this.checkS3('STORAGE')];
  }

  private checkS3(side: 'SOURCE' | 'STORAGE'): string[] {
    const access = this.s3Access(side);
    if (!access || (access.accessKeyId !== undefined && access.secretAccessKey !== undefined)) return [];
    return [`${side}_S3_ACCESS_KEY_ID and ${side}_S3_SECRET_ACCESS_KEY must be set where ${side}_URL is s3://`];
  }
}
