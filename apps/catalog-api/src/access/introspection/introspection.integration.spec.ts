import { administered, password, type Administered } from '../../../test/administered.js';
import { Browser } from '../../../test/support/browser.js';

interface Introspection {
  active: boolean;
  [member: string]: unknown;
}

const settings = { SESSION_SECRET: 'the session secret of this suite, long enough', RATE_LIMIT_WRONG_KEYS: '20' };

describe('POST /api/introspection', () => {
  let catalog: Administered;
  let key: string;

  beforeAll(async () => {
    catalog = await administered([], settings);
    key = await serviceKey('provisioner', ['introspection']);
  });
  afterAll(() => catalog.stop());

  async function serviceKey(name: string, scopes: string[]): Promise<string> {
    const { body } = await catalog.send('POST', '/api/admin/service-keys', {
      name,
      scopes,
    });
    return body.key;
  }

  const introspect = (token: string, by = key): Promise<{ status: number; headers: Headers; body: Introspection }> =>
    catalog.send('POST', '/api/introspection', { token }, by);

  const sessionToken = (): string => catalog.administrator.cookies.get('catalog_session') ?? '';

  it('should refuse every caller except the global key and service keys with the scope', async () => {
    const { 'session without the role': session, ...others } = await catalog.refusals('POST', '/api/introspection');
    const { 'session without the role': refused, ...expected } = catalog.allRefused;
    expect([others, session]).toEqual([expected, refused]);
    const other = await serviceKey('reader', ['records:read', 'bulk']);
    expect((await introspect('any', other)).status).toBe(403);
  });

  it('should return the user of a session without secrets', async () => {
    const { status, headers, body } = await introspect(sessionToken());
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toEqual({
      ...{ active: true, kind: 'session', user_id: '90000', subject: null, roles: ['admin'] },
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
  });

  it('should return the rights of a service key without secrets', async () => {
    const limited = {
      name: 'limited',
      scopes: ['imports:read'],
      submissions: ['S-'],
      expires_at: '2999-01-01T00:00:00Z',
    };
    const made = await catalog.send('POST', '/api/admin/service-keys', limited);
    expect((await introspect(made.body.key)).body).toEqual({
      ...{ active: true, kind: 'service', key_id: String(made.body.id), name: 'limited', scopes: ['imports:read'] },
      ...{ submissions: ['S-'], projects: null, expires_at: '2999-01-01T00:00:00.000Z' },
    });
    await catalog.send('DELETE', `/api/admin/service-keys/${String(made.body.id)}`);
    expect((await introspect(made.body.key)).body).toEqual({ active: false });
  });

  it('should report a session as not active immediately after its end', async () => {
    const browser = new Browser(catalog.url);
    await browser.signIn('root@example.org', password);
    const token = browser.cookies.get('catalog_session') ?? '';
    expect((await introspect(token)).body.active).toBe(true);
    await browser.fetch('/api/session', { method: 'DELETE' });
    expect((await introspect(token)).body).toEqual({ active: false });
  });

  it('should limit introspections of tokens that are not active, but not of active tokens', async () => {
    const guesser = await serviceKey('guesser', ['introspection']);
    const wrong = `rdcs_${'0'.repeat(48)}`;
    const statuses = new Set<number>();
    for (let asked = 0; asked < 25; asked += 1) statuses.add((await introspect(wrong, guesser)).status);
    expect(statuses).toEqual(new Set([200, 429]));
    const { status, body } = await introspect(key, guesser);
    expect([status, body]).toEqual([200, expect.objectContaining({ active: true, name: 'provisioner' })]);
  });

  it.each([{}, { token: '' }, { token: 7 }, { token: 'x'.repeat(5000) }])('should refuse %j', async (body) => {
    expect(await catalog.fieldsRefused('POST', '/api/introspection', body)).toEqual(['token']);
  });
});
