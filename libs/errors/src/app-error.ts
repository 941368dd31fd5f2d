import type { ErrorCode } from './codes.js';

/** Facts that help the caller to correct the call: fields, allowed values, ids. They are sent to the caller unchanged. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** The parts of an error in addition to its message. */
export interface AppErrorOptions {
  /** Members of the envelope's `more`, in addition to `code` and `request_id`. */
  readonly details?: ErrorDetails;
  /** The original failure. It is logged and never sent to a caller. */
  readonly cause?: unknown;
  /** Seconds after which the caller should try again; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Methods that the address accepts; sent as `Allow`. */
  readonly allow?: readonly string[];
}

/**
 * The base class of every expected error.
 *
 * `message` is for the person who made the call: the failure, its reason, and what to do next. Code throws the error
 * where the fact is known, and one filter at the edge converts the error to the envelope.
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
