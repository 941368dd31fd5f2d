import type { components } from './generated/catalog-api.js';
import { secondsOf } from './retries.js';

type Envelope = components['schemas']['Error'];

/** A code of `docs/errors.md`. The meaning of a code never changes. */
export type ErrorCode = Envelope['more']['code'];

/** An error of a service. Decide by `code`; `description` is text for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /**
   * The code; undefined if the response is not from a service, but for example from a proxy. A newer service can have
   * further codes.
   */
  readonly code: ErrorCode | undefined;
  readonly description: string;
  /** The id of the request in the log of the service. */
  readonly requestId: string | undefined;
  /** The details of the error, such as `fields` and `allowed`. */
  readonly more: Partial<Envelope['more']> & Readonly<Record<string, unknown>>;
  /** The seconds after which a repeated request can succeed; undefined if the service states no time. */
  readonly retryAfter: number | undefined;

  constructor(method: string, response: Response, body: string) {
    const envelope = envelopeOf(body);
    const description = envelope?.description ?? response.statusText;
    const code = envelope?.more.code;
    const { pathname } = new URL(response.url || 'http://unknown/');
    super([`${method} ${pathname}:`, response.status, code, description].filter(Boolean).join(' '));
    this.status = response.status;
    this.code = code;
    this.description = description;
    this.requestId = envelope?.more.request_id;
    this.more = envelope?.more ?? {};
    this.retryAfter = secondsOf(response.headers.get('Retry-After'));
  }
}

/** Returns the envelope of an error; undefined if the body is not from a service. */
function envelopeOf(body: string): Envelope | undefined {
  try {
    const read = JSON.parse(body) as Partial<Envelope> | null;
    return typeof read?.more?.code === 'string' ? (read as Envelope) : undefined;
  } catch {
    return undefined;
  }
}
