import type { AppError } from './app-error.js';
import type { ErrorCode } from './codes.js';

/** The body of every error answer of both services (interface seed, section 7). */
export interface ErrorEnvelope {
  readonly status: 'Error';
  /** For a person: what is wrong and what to do about it. */
  readonly description: string;
  /** For a program: the stable code, the request's id, and what helps. */
  readonly more: { readonly code: ErrorCode; readonly request_id: string; readonly [detail: string]: unknown };
}

/** The envelope of an error we threw on purpose. */
export function envelopeOf(error: AppError, requestId: string): ErrorEnvelope {
  return {
    status: 'Error',
    description: error.message,
    more: { ...error.details, code: error.code, request_id: requestId },
  };
}
