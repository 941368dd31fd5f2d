import { SessionTokens, type Role } from '@rdc/auth';
import { SignJWT } from 'jose';
import { startIntrospectingCatalog, type IntrospectingCatalog } from './support/introspecting-catalog.js';
import { TestSystem, type Answer } from './support/system.js';

const secret = 'the session secret that the catalog has too';
const tokens = new SessionTokens(secret);
const session = { userId: '7', subject: null, sessionId: 'f00d' };

describe('somebody signed in at the catalog', () => {
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
  const look = async (roles: readonly Role[]): Promise<Answer> => system.get('/datasets/srcsys', await cookieOf(roles));
  const plan = async (roles: readonly Role[], headers = proof()): Promise<Answer> =>
    system.post(
      '/datasets/srcsys/import?dry_run=true',
      { dataset_id: 'DS-1' },
      { ...(await cookieOf(roles)), ...headers },
    );

  it.each([
    ['admin', 200, 200],
    ['data_steward', 200, 200],
    ['auditor', 200, 403],
    ['legal', 403, 403],
  ] as const)('should, as %s, be answered %d on reads and %d on imports', async (role, reads, imports) => {
    expect((await look([role])).status).toBe(reads);
    expect((await plan([role])).status).toBe(imports);
    for (const path of ['/submissions/srcsys', '/submissions/srcsys/diff', '/datasets/srcsys/DS-1', '/imports']) {
      expect([path, (await system.get(path, await cookieOf([role]))).status]).toEqual([path, reads]);
    }
  });

  it('should be refused without any role', async () => {
    expect((await look([])).body.more.code).toBe('access.denied');
  });

  it('should be named in the import they ask for', async () => {
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
  ])('should not import %s (CSRF)', async (_, change) => {
    const answer = await plan(['admin'], { ...proof(), ...change });
    expect([answer.status, answer.body.more.code]).toEqual([403, 'csrf.refused']);
  });

  it('should be told to renew a token older than five minutes, and be nobody with one that is not the catalog’s', async () => {
    const old = await new SignJWT({ sid: 'f00d', roles: ['admin'] })
      .setProtectedHeader({ alg: 'HS256', typ: 'session+jwt' })
      .setSubject('7')
      .setExpirationTime('1 second ago')
      .sign(new TextEncoder().encode(secret));
    const foreign = await new SessionTokens(`${secret}, almost`).issue({ ...session, roles: ['admin'] });
    const [, claims = ''] = foreign.split('.');
    const unsigned = `${Buffer.from('{"alg":"none","typ":"session+jwt"}').toString('base64url')}.${claims}.`;
    const asked = catalog.asked.length;
    for (const token of [old, foreign, unsigned]) {
      const headers = { 'X-API-Key': '', Cookie: `catalog_session=${token}` };
      const answer = await system.get('/datasets/srcsys', headers);
      expect([answer.status, answer.body.more.code]).toEqual([403, 'session.ended']);
    }
    expect(catalog.asked).toHaveLength(asked);
  });

  it('should be refused when the session has ended at the catalog: writes at once, reads after them', async () => {
    expect((await look(['admin'])).status).toBe(200);
    catalog.ended.add(session.sessionId);
    expect((await plan(['admin'])).body.more.code).toBe('session.ended');
    catalog.ended.delete(session.sessionId);
    expect((await plan(['admin'])).status).toBe(200);
  });

  it('should ask the catalog once for reads that come together', async () => {
    const token = await tokens.issue({ ...session, sessionId: 'of this test alone', roles: ['data_steward'] });
    const cookie = { 'X-API-Key': '', Cookie: `catalog_session=${token}` };
    const asked = catalog.asked.length;
    const answers = await Promise.all([1, 2, 3, 4].map(() => system.get('/imports', cookie)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(catalog.asked.length - asked).toBe(1);
  });

  it('should not be known to a provisioner without the secret', async () => {
    const apart = await TestSystem.create();
    await apart.startServer();
    const answer = await apart.get('/datasets/srcsys', await cookieOf(['admin']));
    expect([answer.status, answer.body.more.code]).toEqual([403, 'key.required']);
    await apart.stop();
  });

  it('should be refused with what to do by a provisioner that has no catalog to ask', async () => {
    const apart = await TestSystem.create({ SESSION_SECRET: secret });
    await apart.startServer();
    const answer = await apart.get('/datasets/srcsys', await cookieOf(['admin']));
    expect([answer.status, answer.body.more.code]).toEqual([403, 'introspection.off']);
    await apart.stop();
  });
});
