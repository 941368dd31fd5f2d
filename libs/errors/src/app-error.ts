import type { ErrorCode } from './codes.js';

/** What helps the caller mend the call: offending fields, allowed values, ids. Sent as it is, so never a secret. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** How an error is made beyond its message. */
export interface AppErrorOptions {
  /** Members of the envelope's `more`, beside `code` and `request_id`. */
  readonly details?: ErrorDetails;
  /** The failure underneath; logged, never shown to a caller. */
  readonly cause?: unknown;
  /** Seconds after which trying again makes sense; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Methods the address answers; sent as `Allow`. */
  readonly allow?: readonly string[];
}

/**
 * The one base of every error we throw on purpose.
 *
 * `message` is for the person who made the call and says what to do next. Whoever throws it knows the fact; the one
 * filter at the edge turns it into the envelope, and nothing in between catches it.
 */
export class AppError extends Error {
  readonly details: ErrorDetails;
  readonly retryAfterSeconds: number | undefined;
  readonly allow: readonly string[] | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: AppErrorOptions = {},
  ) {
    super(message, { cause: options.cause });
    this.name = new.target.name;
    this.details = options.details ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.allow = options.allow;
  }
}
