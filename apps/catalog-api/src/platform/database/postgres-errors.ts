import { AppError, DependencyDownError, type DependencyFault } from '@rdc/errors';
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
const lockFailures = ['55P03', '40P01'];

/** What others do by then is done, or takes long; then it is an import. */
const lockRetrySeconds = 10;

/** SQLSTATEs of a Postgres that answers but cannot do its work, and the reason. */
const faultBySqlState: Readonly<Record<string, DependencyFault>> = {
  '25006': 'read_only',
  '53100': 'disk_full',
  '57P03': 'starting',
  '58030': 'disk_failing',
};

/** Seconds after which a call makes sense again if an operator must act first, e.g. free a disk. */
const operatorSeconds = 30;

/**
 * Returns 503 with `Retry-After` and the reason if Postgres cannot be used or if other writes are in the way; nothing was
 * changed then. Returns undefined for every other failure of the database, which is a fault of this service.
 */
export function translatePostgresError(error: unknown): AppError | undefined {
  const state = sqlStateOf(error);
  const fault = state === undefined ? undefined : faultBySqlState[state];
  if (fault) return new DependencyDownError('database', error, fault === 'starting' ? 5 : operatorSeconds, fault);
  if (isPostgresDown(error)) return new DependencyDownError('database', error);
  return state !== undefined && lockFailures.includes(state) ? new ConcurrentWriteError(error) : undefined;
}

/** 503: other writes, an import perhaps, were in the way. Nothing was changed; the same call succeeds after them. */
export class ConcurrentWriteError extends AppError {
  constructor(cause?: unknown) {
    super(
      'dependency.down',
      `Others are writing, an import perhaps; try again in ${String(lockRetrySeconds)} seconds.`,
      { cause, retryAfterSeconds: lockRetrySeconds, details: { dependency: 'database' } },
    );
  }
}

/** Returns the SQLSTATE of an error of `pg`, or of one of TypeORM around it; undefined if there is none. */
function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, driverError } = error as Error & { code?: unknown; driverError?: { code?: unknown } };
  const state = driverError?.code ?? code;
  return typeof state === 'string' ? state : undefined;
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
export function violatedConstraint(error: unknown): string | undefined {
  const { driverError } = error as { driverError?: { code?: unknown; constraint?: unknown } };
  const { code, constraint } = driverError ?? (error as { code?: unknown; constraint?: unknown });
  return code === '23505' && typeof constraint === 'string' ? constraint : undefined;
}
