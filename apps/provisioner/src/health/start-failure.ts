import { AbsentDependencyError } from '@rdc/http';
import { InvalidSettingsError } from '@rdc/settings';
import { UnfitDependencyError } from './start-up.js';

/** What an operator reads when a process cannot start: a sentence where the cause is known, else the whole stack. */
export function startFailureOf(error: unknown): string {
  const sentences = [InvalidSettingsError, UnfitDependencyError, AbsentDependencyError];
  if (error instanceof Error && sentences.some((kind) => error instanceof kind)) return error.message;
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (code === 'EADDRINUSE' || code === 'EACCES' || code === 'EADDRNOTAVAIL') {
    return `Cannot listen on HOST ${String(address)} and PORT ${String(port)}: ${code}.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
