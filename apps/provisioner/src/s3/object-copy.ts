import {
  CopyObjectCommand,
  HeadObjectCommand,
  UploadPartCopyCommand,
  type CompletedPart,
  type CopyObjectCommandInput,
} from '@aws-sdk/client-s3';
import { failpoint } from '../process/failpoint.js';
import type { Bucket } from './bucket.js';
import { abortUpload, beginUpload, completeUpload, type OpenUpload } from './multipart.js';
import { s3StatusOf } from './s3-failure.js';

/** The maximum number of bytes of one call. Amazon S3 accepts 5 GB, but shorter calls free connections sooner. */
export const maxCallBytes = 1024 ** 3;

const maxParts = 10_000;

/** Ceph's name of the condition of a copy. Ceph ignores the standard name up to release Pacific. */
const cephCondition = 'x-amz-copy-if-match';

/** Statuses of a refused copy: it is not permitted, not supported, or the source was replaced. */
const refusals: ReadonlySet<number | undefined> = new Set([400, 403, 404, 405, 412, 416, 501]);

/** A version of an object in any bucket of the store. */
export interface ObjectVersion {
  readonly bucket: string;
  /** The full key, with any prefix. */
  readonly key: string;
  readonly size: number;
  readonly etag: string;
}

export interface CopyOptions {
  /** Called before the copy begins and before the object is created. Throws to end the copy. */
  readonly checkOwned?: () => Promise<void>;
  /** Ends a copy in parts at once. A single call is awaited, because the store would complete it anyway. */
  readonly signal?: AbortSignal;
  /** Whether metadata and tags are omitted. */
  readonly isBare?: boolean;
  /** The bytes that one call copies. */
  readonly callBytes?: number;
}

/**
 * Copies an object version within the store. The copy is created completely or not at all.
 *
 * @param bucket the target, whose credentials are used
 * @throws an error that passes `isRefusedCopy` if the store refuses the copy or the object was replaced
 */
export async function copyObject(
  bucket: Bucket,
  from: ObjectVersion,
  to: string,
  options: CopyOptions = {},
): Promise<void> {
  await options.checkOwned?.();
  if (from.size > (options.callBytes ?? maxCallBytes)) return copyInParts(bucket, from, to, options);
  failpoint('before_complete');
  const command = new CopyObjectCommand({
    ...bucket.at(to),
    ...sourceOf(from),
    ...(options.isBare === true && bare),
  });
  command.middlewareStack.add(
    (next) => (call) => {
      (call.request as { headers: Record<string, string> }).headers[cephCondition] = from.etag;
      return next(call);
    },
    { step: 'build', name: 'cephCondition' },
  );
  const { CopyObjectResult: copy } = await bucket.client.send(command);
  // If the ETags differ, the store computes them differently or ignored the condition.
  if (copy?.ETag === undefined || bareEtag(copy.ETag) !== bareEtag(from.etag)) await checkUnchanged(bucket, from);
}

/** Whether a store refused to copy an object, so that the caller has to read and write it. */
export function isRefusedCopy(error: unknown): error is Error {
  return refusals.has(s3StatusOf(error)) && (error as Error).name !== 'NoSuchUpload';
}

const bare: Partial<CopyObjectCommandInput> = {
  MetadataDirective: 'REPLACE',
  TaggingDirective: 'REPLACE',
  ContentType: 'application/octet-stream',
};

function sourceOf({ bucket, key, etag }: ObjectVersion): Record<'CopySource' | 'CopySourceIfMatch', string> {
  return { CopySource: encodeURIComponent(`${bucket}/${key}`), CopySourceIfMatch: etag };
}

async function copyInParts(bucket: Bucket, from: ObjectVersion, to: string, options: CopyOptions): Promise<void> {
  const upload = await beginUpload(bucket, to);
  try {
    const parts = await copyParts(bucket, from, upload, options);
    await checkUnchanged(bucket, from);
    await options.checkOwned?.();
    failpoint('before_complete');
    await completeUpload(bucket, upload, parts);
  } catch (error) {
    await abortUpload(bucket, upload);
    throw error;
  }
}

async function copyParts(
  bucket: Bucket,
  from: ObjectVersion,
  { key, id }: OpenUpload,
  { signal, callBytes = maxCallBytes }: CopyOptions,
): Promise<CompletedPart[]> {
  const partBytes = Math.max(callBytes, Math.ceil(from.size / maxParts));
  const parts: CompletedPart[] = [];
  for (let first = 0; first < from.size; first += partBytes) {
    const CopySourceRange = `bytes=${String(first)}-${String(Math.min(first + partBytes, from.size) - 1)}`;
    const PartNumber = parts.length + 1;
    const part = { ...bucket.at(key), ...sourceOf(from), UploadId: id, CopySourceRange, PartNumber };
    const { CopyPartResult } = await bucket.client.send(
      new UploadPartCopyCommand(part),
      signal && { abortSignal: signal },
    );
    parts.push({ PartNumber, ETag: CopyPartResult?.ETag });
    failpoint('after_part');
  }
  return parts;
}

/** Checks that the object was not replaced. Ceph ignores the condition of parts, so a copy could mix two versions. */
async function checkUnchanged({ client }: Bucket, { bucket, key, etag }: ObjectVersion): Promise<void> {
  await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key, IfMatch: etag }));
}

function bareEtag(etag: string): string {
  return etag.replaceAll('"', '');
}
