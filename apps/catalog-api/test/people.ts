import { KeyHasher } from '@rdc/auth';
import { hashPassword } from '../src/people/sessions/password.js';
import { catalogSettings } from '../src/app/catalog.settings.js';
import type { RunningCatalog } from './catalog.js';
import { SecretsSettings } from '../src/platform/secrets/secrets.settings.js';

/** Hashes a password at a low cost, for suites with many sign-ins. */
export function hashQuickly(password: string): Promise<string> {
  return hashPassword(password, { ln: 4, r: 8, p: 1 });
}

/** Adds a key to a user or an endpoint, and returns the key. */
export async function giveKey(
  { dataSource, environment }: RunningCatalog,
  to: { user: number } | { endpoint: number },
  key: string,
): Promise<string> {
  const hash = new KeyHasher([catalogSettings(environment).get(SecretsSettings).KEY_HASH_SECRET]).hash(key);
  if ('user' in to) await dataSource.query('UPDATE users SET key_hash = $1 WHERE id = $2', [hash, to.user]);
  else await dataSource.query('INSERT INTO endpoint_keys (endpoint_id, key_hash) VALUES ($2, $1)', [hash, to.endpoint]);
  return key;
}
