import { KeyHasher } from '@rdc/auth';
import { createTestStore, type TestStore } from '../../../test/store.js';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import { catalogSettings } from '../../app/catalog.settings.js';
import { CatalogKeyDirectory } from './catalog-key-directory.js';
import { ImportedEndpointKeys } from './imported-endpoint-keys.js';
import { AccountSecrets } from '../../platform/secrets/account-secrets.js';
import { endpointKeyLength, KeyIssuer } from './key-issuer.js';
import { HttpSettings } from '../../platform/settings/http.settings.js';

const globalKey = 'global-key-0123456789-0123456789-012345';

describe(CatalogKeyDirectory.name, () => {
  let store: TestStore;
  let issuer: KeyIssuer;
  let directory: CatalogKeyDirectory;

  beforeAll(async () => {
    store = await createTestStore();
    await store.fill([
      { record: 'user', id: 7, email: 'Ada@example.org', subject: 'sub-7', roles: ['auditor'] },
      { record: 'endpoint', id: 3, name: 'Portal' },
    ]);
    issuer = new KeyIssuer(new KeyHasher(['new secret']), store.dataSource, new AuditTrail());
    directory = directoryWith('new secret', 'old secret');
  });

  afterAll(() => store.drop());

  function directoryWith(...[first, ...others]: [string, ...string[]]): CatalogKeyDirectory {
    const settings = catalogSettings({ DATABASE_URL: store.url, GLOBAL_API_KEY: globalKey }).get(HttpSettings);
    const hasher = new KeyHasher([first, ...others]);
    const imported = new ImportedEndpointKeys(hasher, new AccountSecrets([first]), store.dataSource, new AuditTrail());
    return new CatalogKeyDirectory(settings, hasher, store.dataSource, imported);
  }

  it('should identify the global key as the global caller only', async () => {
    expect(await directory.identify(globalKey)).toEqual({ kind: 'global' });
    expect(await directory.identify(`${globalKey}x`)).toEqual({ kind: 'unknown' });
  });

  it('should identify a user by the newest key, when the key was issued for the e-mail address in another case', async () => {
    const imported = await issuer.issueForUser('ADA@EXAMPLE.ORG');
    const key = await issuer.issueForUser('ada@example.org');
    expect(key).toMatch(/^[A-Za-z0-9]{48}$/);
    expect(await directory.identify(key)).toEqual({ kind: 'user', userId: '7', subject: 'sub-7', roles: ['auditor'] });
    expect(await directory.identify(imported)).toEqual({ kind: 'unknown' });
  });

  it('should store only the hash of a key', async () => {
    const key = await issuer.issueForUser('ada@example.org');
    const [{ everything }] = await store.dataSource.query<[{ everything: string }]>(
      'SELECT users::text AS everything FROM users',
    );
    expect(everything).not.toContain(key);
  });

  it('should refuse the key of a deactivated user, and a key after its end', async () => {
    const key = await issuer.issueForUser('ada@example.org');
    await store.dataSource.query('UPDATE users SET active = false');
    expect(await directory.identify(key)).toEqual({ kind: 'unknown' });
    await store.dataSource.query(`UPDATE users SET active = true, key_expires_at = now() - interval '1 second'`);
    expect(await directory.identify(key)).toEqual({ kind: 'unknown' });
  });

  it('should accept both keys of an endpoint during a rotation, and only the new key after the rotation', async () => {
    const old = await issuer.issueForEndpoint('Portal');
    const key = await issuer.issueForEndpoint('Portal', { overlapSeconds: 60 });
    expect(key).toHaveLength(endpointKeyLength);
    const endpoint = { kind: 'endpoint', endpointId: '3' };
    expect(await Promise.all([directory.identify(old), directory.identify(key)])).toEqual([endpoint, endpoint]);
    const newest = await issuer.issueForEndpoint('Portal');
    expect(await directory.identify(key)).toEqual({ kind: 'unknown' });
    expect(await directory.identify(newest)).toEqual(endpoint);
  });

  it('should accept keys with a hash of the previous secret while the settings name that secret', async () => {
    const key = await new KeyIssuer(new KeyHasher(['old secret']), store.dataSource, new AuditTrail()).issueForEndpoint(
      'Portal',
    );
    expect(await directory.identify(key)).toMatchObject({ kind: 'endpoint' });
    expect(await directoryWith('new secret').identify(key)).toEqual({ kind: 'unknown' });
  });

  it('should record the last use of a key at most once a minute', async () => {
    const key = await issuer.issueForEndpoint('Portal');
    await directory.identify(key);
    await directory.onModuleDestroy();
    const first = await lastUse();
    expect(first).not.toBeNull();
    await directory.identify(key);
    await directory.onModuleDestroy();
    expect(await lastUse()).toEqual(first);
  });

  async function lastUse(): Promise<Date | null | undefined> {
    const rows = await store.dataSource.query<{ at: Date | null }[]>(
      'SELECT last_used_at AS at FROM endpoint_keys ORDER BY id DESC LIMIT 1',
    );
    return rows[0]?.at;
  }

  it('should throw UnknownRecordError when the user or endpoint does not exist', async () => {
    await expect(issuer.issueForUser('unknown@example.org')).rejects.toThrow('There is no user "unknown@example.org"');
    await expect(issuer.issueForEndpoint('Nowhere')).rejects.toThrow('There is no endpoint "Nowhere"');
  });
});
