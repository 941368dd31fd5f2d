import { SessionTokens, type Role } from '@rdc/auth';
import { startIntrospectingCatalog, type IntrospectingCatalog } from './support/introspecting-catalog.js';
import { onEachQueue } from './support/queues.js';
import { globalKey, TestSystem } from './support/system.js';

const secret = 'the session secret that the catalog has too';
const tokens = new SessionTokens(secret);

onEachQueue('GET /admin/queues', (queue) => {
  let catalog: IntrospectingCatalog;
  let system: TestSystem;

  beforeAll(async () => {
    catalog = await startIntrospectingCatalog(secret);
    system = await TestSystem.create({ ...queue.settings, ...catalog.settings, BASE_PATH: '/rdc' });
    await system.deliver('SUB-1', { 'DS-1/a': '1' });
    await system.startServer();
    await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' });
  });

  afterAll(async () => {
    await system.stop();
    await catalog.stop();
  });

  const cookieOf = async (role: Role): Promise<Record<string, string>> => ({
    'X-API-Key': '',
    Cookie: `catalog_session=${await tokens.issue({ userId: '7', subject: null, sessionId: 'f00d', roles: [role] })}`,
  });

  it('should serve the page below the base path without content from other hosts', async () => {
    const page = await system.get('/rdc/admin/queues');
    expect(page.status).toBe(200);
    expect(page.text).toContain('<base href="/rdc/admin/queues/"');
    expect(page.text).not.toMatch(/(src|href)="https?:/);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    const script = /src="(static\/js\/main[^"]+)"/.exec(page.text)?.[1] ?? '';
    expect((await system.get(`/rdc/admin/queues/${script}`)).status).toBe(200);
  });

  it('should show jobs that contain only ids', async () => {
    const { status, text } = await system.get('/admin/queues/api/queues?activeQueue=imports&page=1&jobsPerPage=10');
    expect(status).toBe(200);
    const [queue] = (
      JSON.parse(text) as { queues: { name: string; readOnlyMode: boolean; jobs: { data: object }[] }[] }
    ).queues;
    expect(queue).toMatchObject({ name: 'imports', readOnlyMode: true });
    for (const { data } of queue?.jobs ?? []) expect(Object.keys(data).sort()).toEqual(['attempt', 'import_id']);
  });

  it.each([
    ['admin', 200],
    ['data_steward', 200],
    ['auditor', 200],
    ['legal', 403],
  ] as const)('should answer a session with role %s with %d', async (role, status) => {
    expect((await system.get('/admin/queues', await cookieOf(role))).status).toBe(status);
  });

  it('should refuse callers without a valid key, and refuse changes by all callers', async () => {
    const script = /src="(static\/js\/main[^"]+)"/.exec((await system.get('/admin/queues')).text)?.[1] ?? '';
    for (const path of ['', '/', '/api/queues', `/${script}`, '/queue/imports']) {
      for (const key of ['', 'wrong']) {
        expect([path, (await system.get(`/admin/queues${path}`, { 'X-API-Key': key })).status]).toEqual([path, 403]);
      }
    }
    for (const key of [globalKey, '']) {
      const answer = await system.call('PUT', '/admin/queues/api/queues/imports/empty', {}, { 'X-API-Key': key });
      expect([answer.status, answer.body.more.code]).toEqual([405, 'method.not_allowed']);
    }
  });
});
