import { AppError } from '@rdc/errors';
import { translatePostgresError } from '../../platform/database/postgres-errors.js';
import type { RequestOrigin } from '../sessions/request-origin.js';
import { OidcLoginRefusedError } from './errors.js';

/**
 * Where a browser goes when nobody was signed in: to the page it wanted, which reads the reason in the fragment
 * (`#sign-in=account`) and offers to sign in again. The reason is a word, so that no link can make us say something.
 *
 * @param error what failed; thrown again when it is something else, or when nobody asked for a page
 * @param wanted a path of ours
 */
export function returnUrlFor(error: unknown, wanted: string, request: RequestOrigin): string {
  const reason = reasonOf(error);
  if (reason === undefined || !request.acceptsHtml) throw error;
  return `${wanted.replace(/#.*$/, '')}#sign-in=${reason}`;
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof OidcLoginRefusedError) return error.reason;
  const known = error instanceof AppError ? error : translatePostgresError(error);
  return known?.code === 'dependency.down' ? 'unavailable' : undefined;
}
