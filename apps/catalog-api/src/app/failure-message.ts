import { AppError } from '@rdc/errors';
import { AbsentDependencyError } from '@rdc/http';
import { InvalidSettingsError } from '@rdc/settings';
import { BackupError } from './backup/backup-import.js';
import { isPostgresDown } from '../platform/database/postgres-errors.js';
import { UnknownSchemaError } from '../platform/database/schema-check.js';

/** Errors whose message says all that an operator needs. */
const reportableErrors = [AbsentDependencyError, InvalidSettingsError, UnknownSchemaError, BackupError, AppError];

/** What an operator reads when a process cannot start: a sentence where the cause is known, else the whole stack. */
export function failureMessage(error: unknown): string {
  if (error instanceof Error && reportableErrors.some((kind) => error instanceof kind)) return error.message;
  if (isPostgresDown(error)) return `Postgres at DATABASE_URL does not answer: ${reasonOf(error)}`;
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (code === 'EADDRINUSE' || code === 'EACCES' || code === 'EADDRNOTAVAIL') {
    return `Cannot listen on HOST ${String(address)} and PORT ${String(port)}: ${code}.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || (code ?? 'no reason given');
}
