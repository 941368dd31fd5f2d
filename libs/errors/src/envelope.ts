import type { AppError } from './app-error.js';
import type { ErrorCode } from './codes.js';

/** The body of every error response of both services (docs/errors.md). */
export interface ErrorEnvelope {
  readonly status: 'Error';
  /** The failure and what to do about it, for a person. */
  readonly description: string;
  /** The code, the id of the request and further details, for a program. */
  readonly more: { readonly code: ErrorCode; readonly request_id: string; readonly [detail: string]: unknown };
}

/** Returns the envelope of an expected error. */
export function envelopeOf(error: AppError, requestId: string): ErrorEnvelope {
  return {
    status: 'Error',
    description: error.message,
    more: { ...error.details, code: error.code, request_id: requestId },
  };
}
