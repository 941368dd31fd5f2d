import { KeyHasher } from '@rdc/auth';
import { pbkdf2Sync } from 'node:crypto';
import { createTestStore, type TestStore } from '../../../test/store.js';
import { AccountSecrets } from '../../platform/secrets/account-secrets.js';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import { ImportedEndpointKeys } from './imported-endpoint-keys.js';

const hasher = new KeyHasher(['the secret']);
const secrets = new AccountSecrets(['the secret']);
const key = 'k'.repeat(64);

/** Returns a hash as another system stores it, with few rounds. */
function importedHash(text: string): string {
  return `pbkdf2_sha256$10$salt$${pbkdf2Sync(text, 'salt', 10, 32, 'sha256').toString('base64')}`;
}

describe(ImportedEndpointKeys.name, () => {
  let store: TestStore;

  beforeEach(async () => {
    store = await createTestStore();
    await store.fill([
      importedKeyOf(3, key, '2099-01-01T00:00:00Z'),
      importedKeyOf(4, 'o'.repeat(64), '2020-01-01T00:00:00Z'),
    ]);
  });

  afterEach(() => store.drop());

  function importedKeyOf(id: number, text: string, end: string): object {
    const sealed = secrets.seal('endpoint key', importedHash(text), `endpoint:${String(id)}`);
    const imported = [{ sealed_hash: sealed, expires_at: end }];
    return { record: 'endpoint', id, name: `Portal ${String(id)}`, imported_keys: imported };
  }

  const process = (): ImportedEndpointKeys =>
    new ImportedEndpointKeys(hasher, secrets, store.dataSource, new AuditTrail());

  const stored = (): Promise<unknown[]> =>
    store.dataSource.query('SELECT endpoint_id, key_hash FROM endpoint_keys ORDER BY id');

  it('should replace an imported key by a keyed hash at its first use, once for all processes', async () => {
    const [one, other] = [process(), process()];
    expect(await Promise.all([one.convert(key), one.convert(key), other.convert(key)])).toEqual([3, 3, 3]);
    expect(await stored()).toEqual([{ endpoint_id: 3, key_hash: hasher.hash(key) }]);
    const trail = await store.dataSource.query<unknown[]>(
      'SELECT actor, action, resource, record_id FROM audit_entries',
    );
    expect(trail).toEqual([{ actor: 'endpoint:3', action: 'convert-key', resource: 'endpoints', record_id: '3' }]);
  });

  it('should not accept a key after its end, a key of another length, and an unknown key', async () => {
    expect(await process().convert('o'.repeat(64))).toBeUndefined();
    expect(await process().convert('k'.repeat(63))).toBeUndefined();
    expect(await process().convert('u'.repeat(64))).toBeUndefined();
    expect(await stored()).toEqual([]);
  });

  it('should refuse a second key of a network within five seconds while imported keys remain', async () => {
    const imported = process();
    expect(await imported.convert('u'.repeat(64))).toBeUndefined();
    await expect(imported.convert(key)).rejects.toThrow('There were too many unknown keys; try again in 5 seconds.');
    expect(await process().convert(key)).toBe(3);
  });

  it('should accept no imported key when the secret has changed', async () => {
    const changed = new ImportedEndpointKeys(hasher, new AccountSecrets(['other']), store.dataSource, new AuditTrail());
    expect(await changed.convert(key)).toBeUndefined();
  });
});
