import { randomUUID } from 'node:crypto';
import type { RunningCatalog } from './catalog.js';
import { hashQuickly } from './people.js';
import { Browser } from './support/browser.js';

type Catalog = Pick<RunningCatalog, 'url' | 'dataSource'>;

const password = 'correct horse battery staple';

/** Adds a person with roles. Returns a browser in which the person is signed in. */
export async function signedInWith(catalog: Catalog, ...roles: readonly string[]): Promise<Browser> {
  const [{ id }] = await catalog.dataSource.query<[{ id: number }]>(
    'INSERT INTO users (roles) VALUES ($1) RETURNING id',
    [roles],
  );
  return signedInAs(catalog, id);
}

/** Gives a person a login with a password. Returns a browser in which the person is signed in. */
export async function signedInAs({ url, dataSource }: Catalog, id: number): Promise<Browser> {
  const login = `${randomUUID()}@example.org`;
  await dataSource.query('UPDATE users SET email = $2, password_hash = $3 WHERE id = $1', [
    id,
    login,
    await hashQuickly(password),
  ]);
  const browser = new Browser(url);
  await browser.signIn(login, password);
  return browser;
}
