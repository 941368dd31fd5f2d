import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  UploadPartCommand,
  type CompletedPart,
} from '@aws-sdk/client-s3';
import { decodeKey, type Bucket } from './bucket.js';
import { withPayloadHash } from './payload-hash.js';
import { s3StatusOf } from './s3-failure.js';

/** A multipart upload that is neither completed nor aborted. */
export interface OpenUpload {
  /** The key below the bucket's prefix. */
  readonly key: string;
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly begunAt: number;
}

/** A part in the store. */
export interface StoredPart {
  readonly size: number;
  readonly etag: string;
}

/** Creates a multipart upload. */
export async function beginUpload(bucket: Bucket, key: string): Promise<OpenUpload> {
  const { UploadId = '' } = await bucket.client.send(new CreateMultipartUploadCommand(bucket.at(key)));
  return { key, id: UploadId, begunAt: Date.now() };
}

/** Sends a part. @returns the ETag */
export async function sendPart(
  bucket: Bucket,
  { key, id }: OpenUpload,
  { number, bytes, sha256 }: { readonly number: number; readonly bytes: Buffer; readonly sha256: string },
): Promise<string> {
  const part = { UploadId: id, PartNumber: number, Body: bytes, ContentLength: bytes.length };
  const command = new UploadPartCommand({ ...bucket.at(key), ...part });
  return (await bucket.client.send(withPayloadHash(command, sha256))).ETag ?? '';
}

/** Lists the stored parts of an upload by number. @throws an error with status 404 if the upload does not exist */
export async function partsOf(bucket: Bucket, { key, id }: OpenUpload): Promise<Map<number, StoredPart>> {
  const parts = new Map<number, StoredPart>();
  let marker: string | undefined;
  do {
    const page = await bucket.client.send(
      new ListPartsCommand({
        ...bucket.at(key),
        UploadId: id,
        ...(marker !== undefined && { PartNumberMarker: marker }),
      }),
    );
    for (const { PartNumber = 0, Size = 0, ETag = '' } of page.Parts ?? []) {
      parts.set(PartNumber, { size: Size, etag: ETag });
    }
    marker = page.IsTruncated === true ? page.NextPartNumberMarker : undefined;
  } while (marker !== undefined);
  return parts;
}

/** Completes an upload, which creates the object. */
export async function completeUpload(bucket: Bucket, { key, id }: OpenUpload, parts: CompletedPart[]): Promise<void> {
  await bucket.client.send(
    new CompleteMultipartUploadCommand({ ...bucket.at(key), UploadId: id, MultipartUpload: { Parts: parts } }),
  );
}

/** Aborts an upload, which removes its parts and refuses later ones. Does nothing if the upload does not exist. */
export async function abortUpload(bucket: Bucket, { key, id }: OpenUpload): Promise<void> {
  try {
    await bucket.client.send(new AbortMultipartUploadCommand({ ...bucket.at(key), UploadId: id }));
  } catch (error) {
    if (s3StatusOf(error) !== 404) throw error;
  }
}

/** Lists the open uploads below a prefix. */
export async function openUploads(bucket: Bucket, under: string): Promise<readonly OpenUpload[]> {
  const uploads: OpenUpload[] = [];
  let next: { readonly KeyMarker?: string; readonly UploadIdMarker?: string } | null = {};
  while (next) {
    const page = await bucket.client.send(
      new ListMultipartUploadsCommand({
        Bucket: bucket.name,
        Prefix: bucket.prefix + under,
        EncodingType: 'url',
        ...next,
      }),
    );
    for (const { Key = '', UploadId = '', Initiated } of page.Uploads ?? []) {
      const key = decodeKey(Key).text.slice(bucket.prefix.length);
      uploads.push({ key, id: UploadId, begunAt: Number(Initiated ?? 0) });
    }
    next = nextPage(page);
  }
  return uploads;
}

function nextPage(page: {
  readonly IsTruncated?: boolean | undefined;
  readonly NextKeyMarker?: string | undefined;
  readonly NextUploadIdMarker?: string | undefined;
}): { readonly KeyMarker?: string; readonly UploadIdMarker?: string } | null {
  if (page.IsTruncated !== true || page.NextKeyMarker === undefined) return null;
  const { NextKeyMarker, NextUploadIdMarker } = page;
  return {
    KeyMarker: decodeKey(NextKeyMarker).text,
    ...(NextUploadIdMarker !== undefined && { UploadIdMarker: NextUploadIdMarker }),
  };
}
