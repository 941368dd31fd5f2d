import { roles, scopes, SessionTokens } from '@rdc/auth';
import {
  addressOf,
  codeOf,
  contradictionsOf,
  requestOf,
  type Caller,
} from '../../../test/support/described-callers.ts';
import { operationsOf, type Description, type PlacedOperation } from '../../../test/support/described-operations.ts';
import { startIntrospectingCatalog, type IntrospectingCatalog } from './support/introspecting-catalog.js';
import { globalKey, TestSystem } from './support/system.js';

const secret = 'the session secret that the catalog has too';
const tokens = new SessionTokens(secret);
const session = { userId: '7', subject: null, sessionId: 'f00d' };

describe('the callers in the OpenAPI document', () => {
  let catalog: IntrospectingCatalog;
  let system: TestSystem;
  let operations: PlacedOperation[];

  beforeAll(async () => {
    catalog = await startIntrospectingCatalog(secret);
    system = await TestSystem.create({ ...catalog.settings, RATE_LIMIT_WRONG_KEYS: '0' });
    await system.startServer();
    const { body } = await system.get('/provisioner/docs/openapi.json');
    operations = operationsOf(body as unknown as Description);
    expect(operations.length).toBeGreaterThan(15);
  });
  afterAll(async () => {
    await system.stop();
    await catalog.stop();
  });

  const callerWith = (headers: Record<string, string>, caller: Omit<Caller, 'send'>): Caller => ({
    ...caller,
    send: (path, request) => fetch(`${system.url}${path}`, { ...request, headers }),
  });

  const bySession = async (role: (typeof roles)[number] | undefined, proof = true): Promise<Caller> => {
    const held = role === undefined ? [] : [role];
    const cookie = `catalog_session=${await tokens.issue({ ...session, roles: held })}`;
    const headers = {
      Cookie: cookie,
      Origin: system.url,
      ...(proof && { 'X-CSRF-Token': tokens.csrfTokenOf(session.sessionId) }),
    };
    const rules = ['session', ...held.map((each) => `session:${each}`)];
    return callerWith(headers, { name: role ?? 'no role', scheme: 'session', rules });
  };

  it('should be the callers without a session whom each operation admits', async () => {
    const callers = [
      callerWith({}, { name: 'none', scheme: 'none', rules: [] }),
      callerWith({ 'X-API-Key': 'no such key' }, { name: 'unknown key', scheme: 'unknown key', rules: [] }),
      callerWith({ 'X-API-Key': globalKey }, { name: 'global', scheme: 'key', rules: ['global'] }),
    ];
    for (const [at, scope] of scopes.entries()) {
      const key = `rdcs_${String.fromCharCode(97 + at).repeat(48)}`;
      catalog.serviceKeys.set(key, { key_id: '1', name: scope.replace(':', '-'), scopes: [scope] });
      callers.push(callerWith({ 'X-API-Key': key }, { name: scope, scheme: 'key', rules: [`scope:${scope}`] }));
    }
    expect(await contradictionsOf(operations, callers)).toEqual([]);
  });

  it('should be the sessions that each operation admits', async () => {
    const callers = await Promise.all([undefined, ...roles].map((role) => bySession(role)));
    expect(await contradictionsOf(operations, callers)).toEqual([]);
  });

  it('should be refused when a write by session has no CSRF token', async () => {
    const { send } = await bySession('admin', false);
    const writes = operations.filter(({ method }) => method !== 'GET');
    const codes = await Promise.all(
      writes.map(async (operation) => codeOf(await send(addressOf(operation), requestOf(operation)))),
    );
    expect(codes).toEqual(writes.map(() => 'csrf.refused'));
  });
});
