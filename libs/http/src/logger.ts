import { pino, stdTimeFunctions, type Logger } from 'pino';
import { LogDestination, writerTo, type LogWriter } from './log-destination.js';

/**
 * The parts of an error that are logged. The parameters of an SQL statement are not logged: they may be personal data.
 */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string | number;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

/** The maximum depth of a chain of causes that is logged. */
const maxDepth = 5;

/**
 * Returns the structured log of a service: one JSON object per line on standard output, with the level as a word and the
 * time in ISO 8601, which log stores recognise without a mapping. If standard output cannot be
 * written, the service continues and lines are lost. The log later reports the number of lost lines.
 */
export function createLogger(level: string, writer: LogWriter = writerTo(process.stdout.fd)): Logger {
  const serializers = { err: (error: unknown) => loggedError(error) };
  const destination = new LogDestination(writer, ({ count, reason }) => {
    logger.error({ lost: count, reason }, 'log lines lost: the log could not be written');
  });
  const formatters = { level: (label: string) => ({ level: label }) };
  const logger = pino({ level, serializers, formatters, timestamp: stdTimeFunctions.isoTime }, destination);
  return logger;
}

/**
 * Returns an error without the properties that libraries add, such as parameters of statements, requests and rows. If a
 * cause is an object and not an error, its content is not logged, because it may be data.
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
