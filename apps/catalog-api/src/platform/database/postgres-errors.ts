import { AppError, DependencyDownError, type DependencyFault } from '@rdc/errors';
import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';

/** System error codes of a connection to Postgres that failed. */
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

/** The messages of `pg` for a lost or unavailable connection. These errors have no code. */
const lostConnection =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/;

/** TypeORM's errors for a transaction whose connection broke between two statements. */
const lostTransaction = [QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError];

/** SQLSTATE classes: connection exception, insufficient resources, operator intervention (shutting down). */
const downClasses = ['08', '53', '57'];

/** SQLSTATEs of a lock timeout and of a deadlock. */
const lockFailures = ['55P03', '40P01'];

/** Seconds after which a refused write makes sense again. Most concurrent writes have ended by then. */
const lockRetrySeconds = 10;

/** The faults of a Postgres that answers but cannot work, by SQLSTATE. */
const faultBySqlState: Readonly<Record<string, DependencyFault>> = {
  '25006': 'read_only',
  '53100': 'disk_full',
  '57P03': 'starting',
  '58030': 'disk_failing',
};

/** Seconds after which a request makes sense again if an operator must act first, e.g. free disk space. */
const operatorSeconds = 30;

/**
 * Returns the 503 error with `Retry-After` for an error that means that Postgres is unavailable or that concurrent
 * writes held a lock. Nothing was changed in these cases.
 *
 * @returns undefined for every other database error, which is a fault of this service
 */
export function translatePostgresError(error: unknown): AppError | undefined {
  const state = sqlStateOf(error);
  const fault = state === undefined ? undefined : faultBySqlState[state];
  if (fault) return new DependencyDownError('database', error, fault === 'starting' ? 5 : operatorSeconds, fault);
  if (isPostgresDown(error)) return new DependencyDownError('database', error);
  return state !== undefined && lockFailures.includes(state) ? new ConcurrentWriteError(error) : undefined;
}

/** 503: concurrent writes, such as an import, held a lock for too long. Nothing was changed. */
export class ConcurrentWriteError extends AppError {
  constructor(cause?: unknown) {
    super(
      'dependency.down',
      `The write failed: a concurrent write, such as an import, holds a lock. Retry in ${String(lockRetrySeconds)} seconds.`,
      { cause, retryAfterSeconds: lockRetrySeconds, details: { dependency: 'database' } },
    );
  }
}

/** Returns the SQLSTATE of an error of `pg` or TypeORM, or undefined if the error has none. */
function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, driverError } = error as Error & { code?: unknown; driverError?: { code?: unknown } };
  const state = driverError?.code ?? code;
  return typeof state === 'string' ? state : undefined;
}

/** Whether an error means that Postgres is unavailable, as opposed to a rejected statement. */
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

/** Whether Postgres refuses the user, the password or the database of a connection. */
export function isConnectionRefused(error: unknown): boolean {
  const state = (error as { code?: unknown }).code;
  return state === '3D000' || (typeof state === 'string' && state.length === 5 && state.startsWith('28'));
}

/** Returns the name of the unique or exclusion constraint that a write violated, or undefined if the error has another cause. */
export function violatedConstraint(error: unknown): string | undefined {
  const { driverError } = error as { driverError?: { code?: unknown; constraint?: unknown } };
  const { code, constraint } = driverError ?? (error as { code?: unknown; constraint?: unknown });
  return (code === '23505' || code === '23P01') && typeof constraint === 'string' ? constraint : undefined;
}
