import { TOTP, Secret } from 'otpauth';
import { grace, password, startPeopleCatalog, type PeopleCatalog } from '../../../test/people-catalog.js';
import { Browser } from '../../../test/support/browser.js';
import { startServer } from '../../app/server.js';
import { catalogSettings } from '../../app/catalog.settings.js';
import { SecretsSettings } from '../../platform/secrets/secrets.settings.js';

interface Answer {
  more: { code: string; reason?: string };
  secret: string;
  uri: string;
  recovery_codes: string[];
}

describe('the second factor', () => {
  let catalog: PeopleCatalog;
  let browser: Browser;
  const path = '/api/session/second-factor';

  beforeAll(async () => {
    catalog = await startPeopleCatalog({ RATE_LIMIT_FAILED_LOGINS: '0' });
  });
  beforeEach(async () => {
    await catalog.reset();
    browser = await catalog.signedIn();
  });
  afterAll(() => catalog.stop());

  const send = async (method: string, address: string, json?: object): Promise<[number, Answer]> => {
    const response = await browser.fetch(address, { method, ...(json && { json }) });
    const text = await response.text();
    return [response.status, (text ? JSON.parse(text) : null) as Answer];
  };
  /** Returns the code of a secret some steps after the current step. */
  const codeOf = (secret: string, steps = 0): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
  /** Turns the factor on and resets the last accepted step, so that a test can use a current code. */
  const enrol = async (): Promise<{ secret: string; recovery: string[] }> => {
    const [, { secret }] = await send('POST', path, { current_password: password });
    const [status, { recovery_codes: recovery }] = await send('POST', `${path}/confirmation`, { code: codeOf(secret) });
    expect(status).toBe(200);
    await catalog.query('UPDATE second_factors SET last_step = 0');
    return { secret, recovery };
  };
  const signIn = async (code?: string, secret = password): Promise<string> => {
    const json = { login: grace.login, password: secret, ...(code !== undefined && { code }) };
    const response = await new Browser(catalog.url).fetch('/api/session', { method: 'POST', json });
    if (response.ok) return 'in';
    const { more } = (await response.json()) as Answer;
    return [more.code, more.reason].filter(Boolean).join(' ');
  };

  it('should be created with an address for the authenticator', async () => {
    expect((await send('GET', path))[1]).toEqual({ state: 'off', recovery_codes: 0 });
    const [status, { secret, uri }] = await send('POST', path, { current_password: password });
    expect(status).toBe(201);
    expect(uri).toMatch(/^otpauth:\/\/totp\/Data%20catalog:grace%40example.org\?/);
    expect(uri).toContain(secret);
  });

  it('should not be required before its confirmation', async () => {
    await send('POST', path, { current_password: password });
    expect((await send('GET', path))[1]).toEqual({ state: 'unconfirmed', recovery_codes: 0 });
    expect(await signIn()).toBe('in');
  });

  it('should not be confirmed by a wrong code', async () => {
    await send('POST', path, { current_password: password });
    expect((await send('POST', `${path}/confirmation`, { code: '000000' }))[1].more.code).toBe('login.second_factor');
  });

  it('should be required after its confirmation, which returns ten recovery codes', async () => {
    const { recovery } = await enrol();
    expect(new Set(recovery).size).toBe(10);
    expect((await send('GET', path))[1]).toEqual({ state: 'on', recovery_codes: 10 });
    expect(await signIn()).toBe('login.second_factor missing');
    const [entry] = await catalog.lastEntries(1, 'users');
    expect(entry).toMatchObject({ action: 'enable-second-factor', actor: 'user:7' });
  });

  it('should report that a code is required only after the right password', async () => {
    await enrol();
    expect(await signIn(undefined, 'not the password')).toBe('login.refused');
    expect(await signIn('000000', 'not the password')).toBe('login.refused');
    expect(await signIn('000000')).toBe('login.second_factor wrong');
    expect((await catalog.lastEntries(1))[0]).toMatchObject({
      action: 'refuse-sign-in',
      record_id: '7',
      after: { reason: 'second_factor' },
    });
  });

  it('should accept a code once, and no code of an earlier step after that', async () => {
    const { secret } = await enrol();
    expect(await signIn(codeOf(secret, 1))).toBe('in');
    expect(await signIn(codeOf(secret, 1))).toBe('login.second_factor wrong');
    expect(await signIn(codeOf(secret))).toBe('login.second_factor wrong');
    expect(await signIn(codeOf(secret, 3))).toBe('login.second_factor wrong');
  });

  it('should accept a code once when two requests send it at the same time', async () => {
    const { secret } = await enrol();
    const code = codeOf(secret);
    expect((await Promise.all([signIn(code), signIn(code)])).sort()).toEqual(['in', 'login.second_factor wrong']);
  });

  it('should accept each recovery code once, in any spelling', async () => {
    const [first = ''] = (await enrol()).recovery;
    expect(await signIn(` ${first.toUpperCase()} `)).toBe('in');
    expect((await catalog.lastEntries(1))[0]?.after).toMatchObject({ second_factor: 'recovery_code' });
    expect(await signIn(first)).toBe('login.second_factor wrong');
  });

  it('should accept a recovery code once when two requests send it at the same time', async () => {
    const [code = ''] = (await enrol()).recovery;
    const both = await Promise.all([signIn(code), signIn(code.replaceAll('-', ''))]);
    expect(both.sort()).toEqual(['in', 'login.second_factor wrong']);
  });

  it('should replace all recovery codes when they are renewed', async () => {
    const { secret, recovery } = await enrol();
    const proof = { current_password: password, code: codeOf(secret) };
    const [status, { recovery_codes: renewed }] = await send('POST', `${path}/recovery-codes`, proof);
    expect([status, renewed.length]).toEqual([200, 10]);
    expect(await signIn(recovery[2])).toBe('login.second_factor wrong');
    expect(await signIn(renewed[0])).toBe('in');
  });

  it('should be removed by the owner with password and code', async () => {
    const { secret } = await enrol();
    const remove = (current_password: string, code?: string) =>
      send('POST', `${path}/removal`, { current_password, ...(code !== undefined && { code }) });
    expect((await remove(password))[1].more.code).toBe('login.second_factor');
    expect((await remove('wrong', codeOf(secret)))[1].more.code).toBe('login.refused');
    expect((await remove(password, codeOf(secret)))[0]).toBe(204);
    expect(await signIn()).toBe('in');
  });

  it('should be removed by an administrator only', async () => {
    await enrol();
    const admin = '/api/admin/users/7/second-factor';
    expect(await catalog.refusals('DELETE', admin)).toEqual(catalog.allRefused);
    const shown = await catalog.send('GET', '/api/admin/users/7');
    expect(shown.body.has_second_factor).toBe(true);
    expect((await catalog.send('DELETE', admin)).status).toBe(204);
    expect((await catalog.send('DELETE', admin)).status).toBe(204);
    expect(await signIn()).toBe('in');
    expect((await catalog.lastEntries(1, 'users'))[0]).toMatchObject({
      action: 'remove-second-factor',
      actor: 'global',
    });
  });

  it('should not be replaced while it is on, and not be created without the password', async () => {
    expect((await send('POST', path, { current_password: 'wrong' }))[1].more.code).toBe('login.refused');
    const { secret } = await enrol();
    const again = await send('POST', path, { current_password: password, code: codeOf(secret) });
    expect([again[0], again[1].more.code]).toEqual([409, 'record.conflict']);
    expect((await send('POST', `${path}/confirmation`, { code: codeOf(secret) }))[0]).toBe(409);
  });

  it('should be stored encrypted, and never appear in the audit trail', async () => {
    const { secret, recovery } = await enrol();
    const stored = JSON.stringify(await catalog.query('SELECT * FROM second_factors, recovery_codes'));
    const trail = JSON.stringify(await catalog.query('SELECT * FROM audit_entries'));
    for (const hidden of [secret, ...recovery]) {
      expect(stored).not.toContain(hidden);
      expect(trail).not.toContain(hidden);
    }
  });

  it('should survive a rotation of KEY_HASH_SECRET, and be encrypted again with the new secret', async () => {
    const { secret, recovery } = await enrol();
    const { KEY_HASH_SECRET: former } = catalogSettings(catalog.environment).get(SecretsSettings);
    const next = { KEY_HASH_SECRET: 'the next secret of the hashes of this suite' };
    const rotated = await startServer({ ...catalog.environment, ...next, KEY_HASH_SECRET_PREVIOUS: former });
    const signInThere = async (url: string, code = ''): Promise<number> =>
      (await new Browser(url).fetch('/api/session', { method: 'POST', json: { login: grace.login, password, code } }))
        .status;
    const there = (await rotated.getUrl()).replace('[::1]', '127.0.0.1');
    expect(await signInThere(there, codeOf(secret))).toBe(200);
    expect(await signInThere(there, recovery[0])).toBe(200);
    await rotated.close();
    const after = await startServer({ ...catalog.environment, ...next });
    const later = (await after.getUrl()).replace('[::1]', '127.0.0.1');
    expect(await signInThere(later, codeOf(secret, 1))).toBe(200);
    await after.close();
    expect(await signIn(codeOf(secret, 1))).toBe('login.second_factor unreadable');
  });

  it('should refuse keys and anonymous callers', async () => {
    for (const key of [null, undefined]) {
      expect((await catalog.send('GET', path, undefined, key)).status).toBe(403);
      expect((await catalog.send('POST', path, { current_password: password }, key)).status).toBe(403);
    }
  });

  it('should count wrong codes for the account, and not restart the count after a right password', async () => {
    const { secret } = await enrol();
    for (let turn = 0; turn < 19; turn++) {
      expect(await signIn('000000')).toBe('login.second_factor wrong');
      expect(await signIn()).toBe('login.second_factor missing');
    }
    expect(await signIn('000000')).toBe('login.second_factor wrong');
    expect(await signIn(codeOf(secret))).toBe('rate.limited');
  });
});
