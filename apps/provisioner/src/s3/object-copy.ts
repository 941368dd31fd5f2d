import { CopyObjectCommand, UploadPartCopyCommand, type CompletedPart } from '@aws-sdk/client-s3';
import type { Bucket, ListedObject } from './bucket.js';
import { abortUpload, beginUpload, completeUpload } from './multipart.js';

/** What a store copies in one call. Amazon's takes 5 GB; a smaller part holds up the connection for a shorter time. */
const maxCopyBytes = 1024 ** 3;

const maxParts = 10_000;

/** Copies an object within the bucket, by the store itself. It is there whole or not at all. */
export async function copyObject(bucket: Bucket, from: ListedObject, to: string): Promise<void> {
  const source = {
    CopySource: encodeURIComponent(`${bucket.name}/${bucket.prefix}${from.key}`),
    CopySourceIfMatch: from.etag,
  };
  if (from.size <= maxCopyBytes) {
    await bucket.client.send(new CopyObjectCommand({ ...bucket.at(to), ...source }));
    return;
  }
  const upload = await beginUpload(bucket, to);
  try {
    await completeUpload(
      bucket,
      upload,
      await copyParts(bucket, { ...bucket.at(to), UploadId: upload.id, ...source }, from.size),
    );
  } catch (error) {
    await abortUpload(bucket, upload);
    throw error;
  }
}

type PartSource = ReturnType<Bucket['at']> & Record<'UploadId' | 'CopySource' | 'CopySourceIfMatch', string>;

async function copyParts(bucket: Bucket, source: PartSource, size: number): Promise<CompletedPart[]> {
  const partBytes = Math.max(maxCopyBytes, Math.ceil(size / maxParts));
  const parts: CompletedPart[] = [];
  for (let from = 0; from < size; from += partBytes) {
    const CopySourceRange = `bytes=${String(from)}-${String(Math.min(from + partBytes, size) - 1)}`;
    const PartNumber = parts.length + 1;
    const command = new UploadPartCopyCommand({ ...source, CopySourceRange, PartNumber });
    parts.push({ PartNumber, ETag: (await bucket.client.send(command)).CopyPartResult?.ETag });
  }
  return parts;
}
