import type { PutObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3';

/** The header that announces the SHA-256 of a payload. */
export const payloadHashHeader = 'x-amz-content-sha256';

/** Adds the SHA-256 of the payload to a call, so that the signature covers the digest and the store refuses other bytes. */
export function withPayloadHash<T extends PutObjectCommand | UploadPartCommand>(command: T, sha256: string): T {
  (command as PutObjectCommand).middlewareStack.add(
    (next) => (call) => {
      (call.request as { headers: Record<string, string> }).headers[payloadHashHeader] = sha256;
      return next(call);
    },
    { step: 'build', name: 'payloadHash' },
  );
  return command;
}
