import { S3Client } from '@aws-sdk/client-s3';
import type { S3Access } from '../settings/s3-access.js';
import { Bucket } from './bucket.js';

/** A URL `s3://bucket` or `s3://bucket/prefix`. */
const s3UrlShape = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/;

const connectionTimeoutMs = 5_000;

/** A store that is silent for so long has failed; the call is made again. */
const silenceMs = 60_000;

/** Connections that one process keeps to a store. */
const maxSockets = 256;

/** The bucket, and the prefix in it, that a URL names. */
export function openBucket(url: string, { endpoint, region, accessKeyId, secretAccessKey }: S3Access): Bucket {
  const [, name = '', path = ''] = s3UrlShape.exec(url) ?? [];
  const prefix = path.split('/').filter(Boolean).join('/');
  const client = new S3Client({
    region,
    maxAttempts: 4,
    // Old stores ignore or choke on the flexible checksums; every payload carries our own SHA-256 instead.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // The client makes a connection for each call that waits for a "100 Continue"; parts go over those that are open.
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
