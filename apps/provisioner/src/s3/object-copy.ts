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

/** What a store copies in one call at most. Amazon's takes 5 GB; a smaller part holds up the connection for a shorter time. */
export const maxCallBytes = 1024 ** 3;

const maxParts = 10_000;

/** The condition of a copy under the name that Ceph has for it; releases up to Pacific know no other. */
const cephCondition = 'x-amz-copy-if-match';

/** How stores say that they do not copy this for whoever asks, that they do not copy at all, or that it is another by now. */
const refusals: ReadonlySet<number | undefined> = new Set([400, 403, 404, 405, 412, 416, 501]);

/** An object as it was seen, in whichever bucket of the store. */
export interface ObjectVersion {
  readonly bucket: string;
  /** All of it, whatever prefix somebody has in that bucket. */
  readonly key: string;
  readonly size: number;
  readonly etag: string;
}

/** How an object is copied. */
export interface CopyOptions {
  /** Called before the copy begins, and before it is there. */
  readonly checkOwned?: () => Promise<void>;
  /** Ends a copy in parts at once. One in a single call is waited for: it would be there after all. */
  readonly signal?: AbortSignal;
  /** Leaves the metadata and tags of the object behind. */
  readonly isBare?: boolean;
  /** What is copied in one call. */
  readonly callBytes?: number;
}

/**
 * Copies an object within its store, by the store itself, if it is still as it was seen. It is there whole or not at all.
 *
 * @param bucket where to, and with whose rights
 * @throws what `isRefusedCopy` tells when the store does not copy it, or it is another by now
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
  const { CopyObjectResult: made } = await bucket.client.send(command);
  // Where the copy's ETag is another, the store counts it otherwise, or did not look at the condition.
  if (made?.ETag === undefined || bareEtag(made.ETag) !== bareEtag(from.etag)) await checkStill(bucket, from);
}

/** Whether a store's error says that whoever wants the copy has to read and write it. */
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
    await checkStill(bucket, from);
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

/** Ceph does not look at the condition of parts: of an object that was replaced meanwhile, some would be of either. */
async function checkStill({ client }: Bucket, { bucket, key, etag }: ObjectVersion): Promise<void> {
  await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key, IfMatch: etag }));
}

function bareEtag(etag: string): string {
  return etag.replaceAll('"', '');
}
