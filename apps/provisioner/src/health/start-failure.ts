import { AbsentDependencyError } from '@rdc/http';
import { InvalidSettingsError } from '@rdc/settings';
import { UnfitDependencyError } from './start-up.js';

/** Returns the message for an operator if a process cannot start: a sentence for a known cause, otherwise the stack. */
export function startFailureOf(error: unknown): string {
  const knownErrors = [InvalidSettingsError, UnfitDependencyError, AbsentDependencyError];
  if (error instanceof Error && knownErrors.some((kind) => error instanceof kind)) return error.message;
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (code === 'EADDRINUSE' || code === 'EACCES' || code === 'EADDRNOTAVAIL') {
    return `Cannot listen on HOST ${String(address)} and PORT ${String(port)}: ${code}.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
