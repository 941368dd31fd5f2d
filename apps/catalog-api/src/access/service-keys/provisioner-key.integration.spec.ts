import { startCatalog, globalKey, type RunningCatalog } from '../../../test/catalog.js';
import { startServer } from '../../app/server.js';

const keyOf = (seed: string): string => `rdcs_${seed.repeat(48)}`;

const formerGlobalKey = 'the-former-global-key-of-the-test-suites';

describe('PROVISIONER_API_KEY', () => {
  let catalog: RunningCatalog;

  beforeEach(async () => {
    catalog = await startCatalog({ PROVISIONER_API_KEY: keyOf('a'), GLOBAL_API_KEY_PREVIOUS: formerGlobalKey });
  });
  afterEach(() => catalog.stop());

  /** Starts another replica with a key, as after a change of the setting. */
  const restart = async (key: string): Promise<void> => {
    await (await startServer({ ...catalog.environment, PROVISIONER_API_KEY: key })).close();
  };

  const statusFor = async (key: string): Promise<number> => {
    const body = JSON.stringify({ token: 'no token' });
    return (await catalog.fetch('/api/introspection', { method: 'POST', key, body })).status;
  };

  const revoke = async (): Promise<void> => {
    const answer = await catalog.fetch('/api/admin/service-keys/1', { method: 'DELETE', key: globalKey });
    expect(answer.status).toBe(204);
  };

  it('should register the key once at start', async () => {
    expect(await statusFor(keyOf('a'))).toBe(200);
    await restart(keyOf('a'));
    expect(await catalog.dataSource.query('SELECT name, scopes FROM service_keys')).toEqual([
      { name: 'provisioner', scopes: ['storages:write', 'introspection'] },
    ]);
    expect(await catalog.dataSource.query('SELECT actor, action FROM audit_entries')).toEqual([
      { actor: 'settings', action: 'create' },
    ]);
  });

  it('should accept the previous key during the overlap when the setting has changed', async () => {
    await restart(keyOf('b'));
    expect([await statusFor(keyOf('a')), await statusFor(keyOf('b'))]).toEqual([200, 200]);
    const ends = `SELECT count(*)::integer AS count FROM service_key_secrets WHERE expires_at < now() + interval '61 minutes'`;
    expect(await catalog.dataSource.query(ends)).toEqual([{ count: 1 }]);
  });

  it('should keep a revoked key revoked after a restart, and register a new key', async () => {
    await restart(keyOf('b'));
    await revoke();
    await restart(keyOf('b'));
    expect([await statusFor(keyOf('a')), await statusFor(keyOf('b'))]).toEqual([403, 403]);
    await restart(keyOf('c'));
    expect([await statusFor(keyOf('a')), await statusFor(keyOf('b')), await statusFor(keyOf('c'))]).toEqual([
      403, 403, 200,
    ]);
  });

  it('should accept the previous global key while GLOBAL_API_KEY_PREVIOUS contains it', async () => {
    const read = async (key: string): Promise<number> => (await catalog.fetch('/api/projects', { key })).status;
    expect([await read(globalKey), await read(formerGlobalKey), await read(`${formerGlobalKey}x`)]).toEqual([
      200, 200, 403,
    ]);
  });
});
