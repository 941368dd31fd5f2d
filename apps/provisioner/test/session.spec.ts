import { SessionTokens, type Role } from '@rdc/auth';
import { SignJWT } from 'jose';
import { startIntrospectingCatalog, type IntrospectingCatalog } from './support/introspecting-catalog.js';
import { TestSystem } from './support/system.js';

const secret = 'the session secret that the catalog has too';
const tokens = new SessionTokens(secret);
const session = { userId: '7', subject: null, sessionId: 'f00d' };

describe('requests with a catalog session', () => {
  let catalog: IntrospectingCatalog;
  let system: TestSystem;

  beforeAll(async () => {
    catalog = await startIntrospectingCatalog(secret);
    system = await TestSystem.create(catalog.settings);
    await system.deliver('SUB-1', { 'DS-1/a.txt': 'a', 'DS-1/.ready': '' });
    await system.startServer();
  });
  afterAll(async () => {
    await system.stop();
    await catalog.stop();
  });

  const cookieOf = async (roles: readonly Role[]): Promise<Record<string, string>> => ({
    'X-API-Key': '',
    Cookie: `catalog_session=${await tokens.issue({ ...session, roles })}`,
  });
  const proof = (): Record<string, string> => ({
    Origin: system.url,
    'X-CSRF-Token': tokens.csrfTokenOf(session.sessionId),
  });
  const read = async (roles: readonly Role[]) => system.get('/datasets/srcsys', await cookieOf(roles));
  const plan = async (roles: readonly Role[], headers = proof()) =>
    system.post(
      '/datasets/srcsys/import?dry_run=true&wait=0',
      { dataset_id: 'DS-1' },
      { ...(await cookieOf(roles)), ...headers },
    );

  it.each([
    ['admin', 200, 202],
    ['data_steward', 200, 202],
    ['auditor', 200, 403],
    ['legal', 403, 403],
  ] as const)('should answer role %s with %d on reads and %d on imports', async (role, reads, imports) => {
    expect((await read([role])).status).toBe(reads);
    expect((await plan([role])).status).toBe(imports);
    for (const path of ['/submissions/srcsys', '/submissions/srcsys/diff', '/datasets/srcsys/DS-1', '/imports']) {
      expect([path, (await system.get(path, await cookieOf([role]))).status]).toEqual([path, reads]);
    }
  });

  it('should refuse a session without roles', async () => {
    expect((await read([])).body.more.code).toBe('access.denied');
  });

  it('should record the user of the session in the import', async () => {
    const answer = await system.post(
      '/datasets/srcsys/import',
      { dataset_id: 'DS-1' },
      { ...(await cookieOf(['admin'])), ...proof() },
    );
    expect([answer.status, answer.body]).toMatchObject([202, { requested_by: 'user:7' }]);
  });

  it.each([
    ['from another site', { Origin: 'https://evil.example' }],
    ['without an origin', { Origin: '' }],
    ['with another token', { 'X-CSRF-Token': 'guessed' }],
    ['without the token', { 'X-CSRF-Token': '' }],
  ])('should refuse an import %s (CSRF)', async (_, change) => {
    const answer = await plan(['admin'], { ...proof(), ...change });
    expect([answer.status, answer.body.more.code]).toEqual([403, 'csrf.refused']);
  });

  it('should answer session.ended to expired, foreign and unsigned tokens without a call to the catalog', async () => {
    const old = await new SignJWT({ sid: 'f00d', roles: ['admin'] })
      .setProtectedHeader({ alg: 'HS256', typ: 'session+jwt' })
      .setSubject('7')
      .setExpirationTime('1 second ago')
      .sign(new TextEncoder().encode(secret));
    const foreign = await new SessionTokens(`${secret}, almost`).issue({ ...session, roles: ['admin'] });
    const [, claims = ''] = foreign.split('.');
    const unsigned = `${Buffer.from('{"alg":"none","typ":"session+jwt"}').toString('base64url')}.${claims}.`;
    const calls = catalog.introspectedTokens.length;
    for (const token of [old, foreign, unsigned]) {
      const headers = { 'X-API-Key': '', Cookie: `catalog_session=${token}` };
      const answer = await system.get('/datasets/srcsys', headers);
      expect([answer.status, answer.body.more.code]).toEqual([403, 'session.ended']);
    }
    expect(catalog.introspectedTokens).toHaveLength(calls);
  });

  it('should refuse writes immediately when the session has ended at the catalog', async () => {
    expect((await read(['admin'])).status).toBe(200);
    catalog.ended.add(session.sessionId);
    expect((await plan(['admin'])).body.more.code).toBe('session.ended');
    catalog.ended.delete(session.sessionId);
    expect((await plan(['admin'])).status).toBe(202);
  });

  it('should call the catalog once for concurrent reads', async () => {
    const token = await tokens.issue({ ...session, sessionId: 'of this test alone', roles: ['data_steward'] });
    const cookie = { 'X-API-Key': '', Cookie: `catalog_session=${token}` };
    const calls = catalog.introspectedTokens.length;
    const answers = await Promise.all([1, 2, 3, 4].map(() => system.get('/imports', cookie)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(catalog.introspectedTokens.length - calls).toBe(1);
  });

  it('should ignore the session when SESSION_SECRET is not set', async () => {
    const separate = await TestSystem.create();
    await separate.startServer();
    const answer = await separate.get('/datasets/srcsys', await cookieOf(['admin']));
    expect([answer.status, answer.body.more.code]).toEqual([403, 'key.required']);
    await separate.stop();
  });

  it('should answer introspection.off when CATALOG_URL is not set', async () => {
    const separate = await TestSystem.create({ SESSION_SECRET: secret });
    await separate.startServer();
    const answer = await separate.get('/datasets/srcsys', await cookieOf(['admin']));
    expect([answer.status, answer.body.more.code]).toEqual([403, 'introspection.off']);
    await separate.stop();
  });
});
