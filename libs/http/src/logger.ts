import { pino, type Logger } from 'pino';
import { LogDestination, writerTo, type LogWriter } from './log-destination.js';

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

/**
 * Returns the structured log of a service: one JSON object a line on standard output. If standard output cannot be
 * written, lines are lost and the service continues; the log then reports how many.
 */
export function createLogger(level: string, writer: LogWriter = writerTo(process.stdout.fd)): Logger {
  const serializers = { err: (error: unknown) => loggedError(error) };
  const destination = new LogDestination(writer, ({ count, reason }) => {
    logger.error({ lost: count, reason }, `${String(count)} lines of the log were lost: it could not be written`);
  });
  const logger = pino({ level, serializers }, destination);
  return logger;
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
