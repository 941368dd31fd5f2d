import { randomUUID } from 'node:crypto';
import { hashQuickly } from './people.js';
import { Browser } from './support/browser.js';
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
export async function sessionHeaders({ url, dataSource }: WritableCatalog): Promise<Record<string, string>> {
  const [login, password] = [`${randomUUID()}@example.org`, 'correct horse battery staple'];
  await dataSource.query('INSERT INTO users (email, password_hash) VALUES ($1, $2)', [
    login,
    await hashQuickly(password),
  ]);
  const browser = new Browser(url);
  await browser.signIn(login, password);
  return { Cookie: browser.cookieHeader(), Origin: browser.origin, 'X-CSRF-Token': browser.csrf ?? '' };
}
