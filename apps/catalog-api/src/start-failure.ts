import { InvalidSettingsError } from '@rdc/settings';
import { isPostgresDown } from './database/postgres-errors.js';
import { UnknownSchemaError } from './database/schema-check.js';

/** What an operator reads when a process cannot start: a sentence where the cause is known, else the whole stack. */
export function startFailureOf(error: unknown): string {
  if (error instanceof InvalidSettingsError || error instanceof UnknownSchemaError) return error.message;
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
