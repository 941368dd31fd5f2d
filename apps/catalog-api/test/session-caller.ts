import { signedInWith } from './signed-in.js';
import type { WritableCatalog } from './writing.js';

/** Ways to identify the caller of an operation, as OpenAPI lists them. */
interface Secured {
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

/** Whether the OpenAPI document admits sessions only. */
export function isForSessionsOnly({ security = [{ key: [] }] }: Secured): boolean {
  return !security.some((way) => 'key' in way) && security.some((way) => 'session' in way);
}

/** Adds a person without a role, signs the person in, and returns the headers of a write by that session. */
export async function sessionHeaders(catalog: WritableCatalog): Promise<Record<string, string>> {
  const browser = await signedInWith(catalog);
  return { Cookie: browser.cookieHeader(), Origin: browser.origin, 'X-CSRF-Token': browser.csrf ?? '' };
}
