import { S3Client } from '@aws-sdk/client-s3';
import type { S3Access } from '../settings/s3-access.js';
import { Bucket } from './bucket.js';

/** A URL `s3://bucket` or `s3://bucket/prefix`. */
const s3UrlShape = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/;

const connectionTimeoutMs = 5_000;

/** Milliseconds without data after which a call is repeated. */
const silenceMs = 60_000;

/** The maximum number of connections of one process to a store. */
const maxSockets = 256;

/** Returns the bucket and prefix at a URL. */
export function openBucket(url: string, { endpoint, region, accessKeyId, secretAccessKey }: S3Access): Bucket {
  const [, name = '', path = ''] = s3UrlShape.exec(url) ?? [];
  const prefix = path.split('/').filter(Boolean).join('/');
  const client = new S3Client({
    region,
    maxAttempts: 4,
    // Old stores ignore or refuse flexible checksums. Instead, each payload has a SHA-256 header.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // With "100 Continue", the client would open a connection for each part instead of reusing one.
    expectContinueHeader: false,
    requestHandler: {
      connectionTimeout: connectionTimeoutMs,
      socketTimeout: silenceMs,
      httpAgent: { maxSockets },
      httpsAgent: { maxSockets },
    },
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(accessKeyId !== undefined &&
      secretAccessKey !== undefined && { credentials: { accessKeyId, secretAccessKey } }),
  });
  const store = `${endpoint === undefined ? '' : new URL(endpoint).href} ${region}`;
  return new Bucket(client, name, prefix === '' ? '' : `${prefix}/`, store);
}
