import { AppError } from '@rdc/errors';
import { translatePostgresError } from '../../platform/database/postgres-errors.js';
import type { RequestOrigin } from '../sessions/request-origin.js';
import { OidcLoginRefusedError } from './errors.js';

/**
 * Returns the address for a browser after a failed login: the requested page with the reason in the fragment
 * (`#sign-in=account`). The page offers to sign in again. The reason is one of a few words, so that a link cannot inject
 * text into the page.
 *
 * @param error the failure; rethrown if it is not a failure of a login, or if the client does not accept HTML
 * @param path the requested page, a path on this site
 */
export function returnUrlFor(error: unknown, path: string, request: RequestOrigin): string {
  const reason = reasonOf(error);
  if (reason === undefined || !request.acceptsHtml) throw error;
  return `${path.replace(/#.*$/, '')}#sign-in=${reason}`;
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof OidcLoginRefusedError) return error.reason;
  const known = error instanceof AppError ? error : translatePostgresError(error);
  return known?.code === 'dependency.down' ? 'unavailable' : undefined;
}
