import { AppError } from '@rdc/errors';
import { AbsentDependencyError } from '@rdc/http';
import { InvalidSettingsError } from '@rdc/settings';
import { BackupError } from './backup/backup-import.js';
import { DifferentAnswersError } from './daisy/answers/compare-daisy.command.js';
import { MigrationRefusedError } from './daisy/database/migrate-daisy.js';
import { isConnectionRefused, isPostgresDown } from '../platform/database/postgres-errors.js';
import { OtherBasisError } from '../publishing/documents/stored-documents.js';
import { InvalidLinkedDataError } from '../records/linked-data/check-linked-data.command.js';
import { UnknownSchemaError } from '../platform/database/schema-check.js';

/** Errors whose message alone is sufficient for an operator. */
const reportableErrors = [
  AbsentDependencyError,
  InvalidSettingsError,
  UnknownSchemaError,
  BackupError,
  DifferentAnswersError,
  InvalidLinkedDataError,
  MigrationRefusedError,
  OtherBasisError,
  AppError,
];

/** Returns the text for an operator whose process failed to start: a message for a known cause, else the stack. */
export function failureMessage(error: unknown): string {
  if (error instanceof Error && reportableErrors.some((kind) => error instanceof kind)) return error.message;
  if (isPostgresDown(error)) return `Postgres at DATABASE_URL does not answer: ${reasonOf(error)}`;
  if (isConnectionRefused(error)) {
    return `Postgres refuses the connection: ${reasonOf(error)}. Correct the user, the password or the database in DATABASE_URL.`;
  }
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (code === 'EADDRINUSE' || code === 'EACCES' || code === 'EADDRNOTAVAIL') {
    return `Cannot listen on HOST ${String(address)}, PORT ${String(port)}: ${code}. Set another HOST or PORT.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || (code ?? 'unknown reason');
}
