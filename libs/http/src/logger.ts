import { destination, pino, type Logger } from 'pino';

/** What of an error is written down: never the values a statement was given, which may be personal data. */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string | number;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

/** Causes of causes that are written down. */
const maxDepth = 5;

/** The structured log of a service, a JSON object a line on standard output. */
export function createLogger(level: string): Logger {
  return pino({ level, serializers: { err: (error: unknown) => loggedError(error) } }, destination({ sync: false }));
}

/**
 * An error without what libraries attach to theirs: statements' parameters, requests, rows. An object that is no error, which
 * some give as the cause, is data through and through, and not written down.
 */
export function loggedError(error: unknown, depth = 0): LoggedError {
  const type = typeof error;
  if (!(error instanceof Error)) return { type, message: type === 'object' ? 'not an error' : String(error) };
  const { code } = error as Error & { code?: unknown };
  const cause = depth < maxDepth ? error.cause : undefined;
  return {
    type: error.name,
    message: error.message,
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(error.stack !== undefined && { stack: error.stack }),
    ...(cause !== undefined && { cause: loggedError(cause, depth + 1) }),
  };
}
