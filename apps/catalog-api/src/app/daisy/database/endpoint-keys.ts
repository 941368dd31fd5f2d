import { endpointKeyLength } from '../../../people/keys/key-issuer.js';
import { randomCharacters } from '../../../people/keys/key-characters.js';
import { ImportedKeyHash } from '../../../people/keys/imported-key-hash.js';
import type { DaisyDatabase } from './daisy-database.js';
import type { MigratedKeys } from './source-kind.js';

/** A key that was issued because the catalog cannot accept the endpoint's key. */
export interface NewKey {
  readonly endpoint: string;
  readonly key: string;
}

/** Options of {@link migrateKeys}. */
export interface KeyMigration {
  /** The keys that the operator has. */
  readonly keys: readonly string[];
  /** The end of the time in which other keys are accepted and converted. */
  readonly until: Date;
  /** Returns the keyed hash under which the catalog stores a key. */
  readonly hash: (key: string) => string;
  /** Encrypts a hash of DAISY, because its salt is a secret of the DAISY. */
  readonly seal: (hash: string, endpoint: number) => string;
}

/** The keys of all endpoints after the migration. */
export interface KeyMigrationResult {
  readonly keysOf: (endpoint: number) => MigratedKeys;
  readonly issued: readonly NewKey[];
  /** One line per endpoint, and one per given key that belongs to no endpoint. */
  readonly remarks: readonly string[];
}

interface EndpointRow {
  readonly id: number;
  readonly name: string;
  readonly hash: string;
}

/**
 * Converts the keys of endpoints. A given key that belongs to an endpoint stays valid if it has the length of the
 * catalog's keys; otherwise the endpoint gets a new key. An endpoint without a given key keeps the hash of DAISY.
 */
export async function migrateKeys(
  daisy: DaisyDatabase,
  { keys, until, hash, seal }: KeyMigration,
): Promise<KeyMigrationResult> {
  const endpoints = await daisy.all<EndpointRow>(
    'SELECT id::integer AS id, name, api_key AS hash FROM core_endpoint ORDER BY id',
  );
  const { found, remarks } = await findKeys(endpoints, keys);
  const issued: NewKey[] = [];
  const migrated = new Map<number, MigratedKeys>();
  for (const { id, name, hash: imported } of endpoints) {
    const given = found.get(id);
    if (given?.length === endpointKeyLength) {
      migrated.set(id, { keys: [{ key_hash: hash(given) }], imported_keys: [] });
      remarks.push(`The key of the endpoint "${name}" stays valid.`);
    } else if (given !== undefined) {
      const key = randomCharacters(endpointKeyLength);
      issued.push({ endpoint: name, key });
      migrated.set(id, { keys: [{ key_hash: hash(key) }], imported_keys: [] });
      remarks.push(
        `The key of the endpoint "${name}" has ${String(given.length)} characters, so a new key was issued.`,
      );
    } else {
      migrated.set(id, {
        keys: [],
        imported_keys: [{ sealed_hash: seal(imported, id), expires_at: until.toISOString() }],
      });
      remarks.push(
        `The key of the endpoint "${name}" is not in --keys. It is accepted until ${until.toISOString()} and converted ` +
          `at its first use, if it has ${String(endpointKeyLength)} characters.`,
      );
    }
  }
  return { keysOf: (id) => migrated.get(id) ?? { keys: [], imported_keys: [] }, issued, remarks };
}

/** Returns the given key of each endpoint. Derives each key once for all endpoints with the same salt. */
async function findKeys(
  endpoints: readonly EndpointRow[],
  keys: readonly string[],
): Promise<{ found: Map<number, string>; remarks: string[] }> {
  const found = new Map<number, string>();
  const remarks: string[] = [];
  const hashes = endpoints.flatMap(({ id, hash }) => {
    const imported = ImportedKeyHash.parse(hash);
    return imported ? { id, imported } : [];
  });
  for (const [index, key] of keys.entries()) {
    const digests = new Map<string, Buffer>();
    let isKnown = false;
    for (const { id, imported } of hashes) {
      const digest = digests.get(imported.group) ?? (await imported.digestOf(key));
      digests.set(imported.group, digest);
      if (!imported.matches(digest)) continue;
      found.set(id, key);
      isKnown = true;
    }
    if (!isKnown) remarks.push(`Key ${String(index + 1)} of --keys belongs to no endpoint.`);
  }
  return { found, remarks };
}
