import { EdgeSettings } from '@rdc/http';
import { parseBoolean, parseNumber, Setting } from '@rdc/settings';
import { IsBoolean, IsInstance, IsInt, IsNumber, IsOptional, IsString, Matches, Max, Min } from 'class-validator';
import type { S3Access } from './s3-access.js';
import { StorageReserve } from './storage-reserve.js';

/** A folder or a bucket, as `SOURCE_URL` and `STORAGE_URL` name them. */
const locationShape = /^(file:\/\/\/.|s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/|$))/;

const endpointShape = /^https?:\/\/[^/]+\/?$/;

/** The source system, from which data is imported, and the data storage. */
export abstract class SourceAndStorageSettings extends EdgeSettings {
  @Setting({
    description:
      'Location of the source system: a folder, `file:///...`, or a bucket, `s3://bucket/prefix`. The provisioner only reads the source.',
  })
  @Matches(locationShape, { message: 'SOURCE_URL must be set to file:///... or s3://bucket/prefix' })
  SOURCE_URL!: string;

  @Setting({
    description:
      'URL of the S3-compatible store that holds the bucket in `SOURCE_URL`. Used only if `SOURCE_URL` is a bucket.',
    defaultText: 'the AWS endpoint of `SOURCE_S3_REGION`',
  })
  @IsOptional()
  @Matches(endpointShape, { message: 'SOURCE_S3_ENDPOINT must be an http:// or https:// URL' })
  SOURCE_S3_ENDPOINT?: string;

  @Setting({ description: 'Region of the bucket in `SOURCE_URL`. Used only if `SOURCE_URL` is a bucket.' })
  @IsString()
  SOURCE_S3_REGION = 'us-east-1';

  @Setting({
    description:
      'ID of the access key for the bucket in `SOURCE_URL`. The key needs permission to read and list objects. Required if `SOURCE_URL` is a bucket.',
  })
  @IsOptional()
  @IsString()
  SOURCE_S3_ACCESS_KEY_ID?: string;

  @Setting({
    description: 'Secret of the access key `SOURCE_S3_ACCESS_KEY_ID`. Required if `SOURCE_URL` is a bucket.',
    secret: true,
  })
  @IsOptional()
  @IsString()
  SOURCE_S3_SECRET_ACCESS_KEY?: string;

  @Setting({
    description:
      'Text that the file `.source-id` at the top of the source must contain. A process that does not find it there is not ready and takes no imports, so a machine without the mount of the source, or with another folder in its place, fails no import. Write the file before you set this.',
    defaultText: 'the source is not checked',
  })
  @IsOptional()
  @Matches(/^[\x21-\x7e]{1,200}$/, { message: 'SOURCE_IDENTITY must be 1 to 200 visible ASCII characters' })
  SOURCE_IDENTITY?: string;

  @Setting({
    description:
      'Name of the marker file: a file of this name in the folder of a dataset or submission marks the delivery as complete.',
  })
  @Matches(/^[^/\0]{1,255}$/, { message: 'SOURCE_READY must be a file name of 1 to 255 characters without a slash' })
  SOURCE_READY = '.ready';

  @Setting({
    description:
      'Time, in seconds, for which a delivery without a marker file must be unchanged until it counts as complete. If its latest change is younger than a day, two walks of the delivery that are at least this time apart must find the same, because the clock of the source may be slow. Not used if `SOURCE_READY_ONLY_MARKER` is `true`.',
    parse: parseNumber,
  })
  @IsNumber()
  @Min(0)
  SOURCE_SETTLE = 60;

  @Setting({
    description: 'Whether a delivery counts as complete only if it contains the marker file named by `SOURCE_READY`.',
    parse: parseBoolean,
  })
  @IsBoolean()
  SOURCE_READY_ONLY_MARKER = false;

  @Setting({
    description:
      'Time, in seconds, between the end of a scan of the source and the start of the next. A scan lists the source, looks at the folders of deliveries that are not imported, and walks new and changed deliveries. Walks supply the file counts, sizes and problems that lists show.',
    parse: parseNumber,
  })
  @IsNumber()
  @Min(1)
  SOURCE_SCAN_INTERVAL = 30;

  @Setting({
    description:
      'Interval, in days, at which the source of an imported dataset is compared with its import, so that lists show the state `differs`. The comparisons of all datasets are spread over the interval. With `0`, imported datasets are compared only on request.',
    parse: parseNumber,
  })
  @IsNumber()
  @Min(0)
  @Max(3650)
  SOURCE_RECHECK_DAYS = 7;

  @Setting({
    description:
      'Number of threads that read the folders of the source in one process, from 1 to 64. A walk of a delivery reads as many folders at the same time. More threads make walks faster if the source is a network file system. Not used if the source is a bucket.',
    parse: parseNumber,
  })
  @IsInt()
  @Min(1)
  @Max(64)
  WALK_THREADS = 2;

  @Setting({
    description:
      'Location of the data storage: a folder, `file:///...`, or a bucket, `s3://bucket/prefix`. The provisioner writes only below `data/` in this location.',
  })
  @Matches(locationShape, { message: 'STORAGE_URL must be set to file:///... or s3://bucket/prefix' })
  STORAGE_URL!: string;

  @Setting({
    description:
      'URL of the S3-compatible store that holds the bucket in `STORAGE_URL`. Used only if `STORAGE_URL` is a bucket.',
    defaultText: 'the AWS endpoint of `STORAGE_S3_REGION`',
  })
  @IsOptional()
  @Matches(endpointShape, { message: 'STORAGE_S3_ENDPOINT must be an http:// or https:// URL' })
  STORAGE_S3_ENDPOINT?: string;

  @Setting({ description: 'Region of the bucket in `STORAGE_URL`. Used only if `STORAGE_URL` is a bucket.' })
  @IsString()
  STORAGE_S3_REGION = 'us-east-1';

  @Setting({
    description:
      'ID of the access key for the bucket in `STORAGE_URL`. The key needs permission to read, list, write and remove objects. Required if `STORAGE_URL` is a bucket.',
  })
  @IsOptional()
  @IsString()
  STORAGE_S3_ACCESS_KEY_ID?: string;

  @Setting({
    description: 'Secret of the access key `STORAGE_S3_ACCESS_KEY_ID`. Required if `STORAGE_URL` is a bucket.',
    secret: true,
  })
  @IsOptional()
  @IsString()
  STORAGE_S3_SECRET_ACCESS_KEY?: string;

  @Setting({
    description:
      'Space in the data storage that imports leave free: a number of bytes, e.g. `10G`, or a share of the capacity, e.g. `5%`. Not applied to a storage of unknown capacity, such as a bucket.',
    defaultText: '`0`',
    parse: (text) => StorageReserve.parse(text),
  })
  @IsInstance(StorageReserve, { message: 'STORAGE_RESERVE must be a size such as 10G, or a share such as 5%' })
  STORAGE_RESERVE: StorageReserve = StorageReserve.none;

  @Setting({
    description:
      'Time, in days, for which the files copied by a failed import are kept. A retry within this time copies only the remaining files.',
    parse: parseNumber,
  })
  @IsNumber()
  @Min(0)
  STAGING_DAYS = 7;

  /** Returns the access to the bucket of a side; null if the side is a folder. */
  s3Access(side: 'SOURCE' | 'STORAGE'): S3Access | null {
    if (!/^s3:/.test(this[`${side}_URL`])) return null;
    return {
      endpoint: this[`${side}_S3_ENDPOINT`],
      region: this[`${side}_S3_REGION`],
      accessKeyId: this[`${side}_S3_ACCESS_KEY_ID`],
      secretAccessKey: this[`${side}_S3_SECRET_ACCESS_KEY`],
    };
  }

  /** Returns the violated rules between settings. */
  protected checkSourceAndStorage(): string[] {
    return [...this.checkS3('SOURCE'), ...this.checkS3('STORAGE')];
  }

  private checkS3(side: 'SOURCE' | 'STORAGE'): string[] {
    const access = this.s3Access(side);
    if (!access || (access.accessKeyId !== undefined && access.secretAccessKey !== undefined)) return [];
    return [`${side}_S3_ACCESS_KEY_ID and ${side}_S3_SECRET_ACCESS_KEY must be set if ${side}_URL is s3://...`];
  }
}
