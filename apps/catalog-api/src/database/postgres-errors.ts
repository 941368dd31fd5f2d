import { AppError, DependencyDownError } from '@rdc/errors';
import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';

/** Failures of the connection and of the machine, by which Postgres counts as down. */
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOENT',
]);

/** What `pg` says when a connection is lost or cannot be had, which it gives no code. */
const lostConnection =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/;

/** What TypeORM says in the middle of a transaction whose connection broke between two statements. */
const lostTransaction = [QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError];

/** SQLSTATE classes: connection exception, insufficient resources, operator intervention (shutting down). */
const downClasses = ['08', '53', '57'];

/** A lock that did not come in time, and a deadlock: other writes were in the way. */
const obstructed = ['55P03', '40P01'];

/** What others do by then is done, or takes long; then it is an import. */
const obstructedSeconds = 10;

/**
 * Recognises that Postgres cannot be asked, or that other writes are in the way: 503 with `Retry-After`, and nothing was
 * changed. Every other failure of the database is our own fault and stays what it is.
 */
export function translatePostgresError(error: unknown): AppError | undefined {
  if (isPostgresDown(error)) return new DependencyDownError('database', error);
  return isObstructed(error) ? new ObstructedWriteError(error) : undefined;
}

/** 503: other writes, an import perhaps, were in the way. Nothing was changed; the same call succeeds after them. */
export class ObstructedWriteError extends AppError {
  constructor(cause?: unknown) {
    super(
      'dependency.down',
      `Others are writing, an import perhaps; try again in ${String(obstructedSeconds)} seconds.`,
      { cause, retryAfterSeconds: obstructedSeconds, details: { dependency: 'database' } },
    );
  }
}

function isObstructed(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, driverError } = error as Error & { code?: unknown; driverError?: { code?: unknown } };
  return obstructed.some((each) => each === (driverError?.code ?? code));
}

/** Whether an error means that Postgres does not answer, as opposed to not liking what it was asked. */
export function isPostgresDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (lostTransaction.some((lost) => error instanceof lost)) return true;
  if (error instanceof AggregateError) return error.errors.some(isPostgresDown);
  const { code, syscall, driverError } = error as Error & { code?: unknown; syscall?: unknown; driverError?: unknown };
  if (driverError instanceof Error && driverError !== error) return isPostgresDown(driverError);
  if (typeof code !== 'string') return lostConnection.test(error.message);
  if (networkCodes.has(code)) return typeof syscall === 'string';
  return code.length === 5 && downClasses.includes(code.slice(0, 2)) && code !== '57014';
}

/** The name of the unique constraint or index that a write would have broken, if it was that which failed. */
export function brokenUniqueness(error: unknown): string | undefined {
  const { driverError } = error as { driverError?: { code?: unknown; constraint?: unknown } };
  const { code, constraint } = driverError ?? (error as { code?: unknown; constraint?: unknown });
  return code === '23505' && typeof constraint === 'string' ? constraint : undefined;
}
