import { roles, scopes } from '@rdc/auth';
import {
  addressOf,
  codeOf,
  contradictionsOf,
  requestOf,
  type Caller,
} from '../../../test/support/described-callers.ts';
import { operationsOf, type Description, type PlacedOperation } from '../../../test/support/described-operations.ts';
import { globalKey, startCatalog, type RunningCatalog } from './catalog.js';
import { giveKey, hashQuickly } from './people.js';
import { Browser } from './support/browser.js';

const password = 'correct horse battery staple';

describe('the callers in the OpenAPI document', () => {
  let catalog: RunningCatalog;
  let operations: PlacedOperation[];

  beforeAll(async () => {
    catalog = await startCatalog({ RATE_LIMIT_WRONG_KEYS: '0' });
    operations = operationsOf((await (await catalog.fetch('/docs/openapi.json')).json()) as Description);
    expect(operations.length).toBeGreaterThan(100);
  });
  afterAll(() => catalog.stop());

  it('should be the callers without credentials whom each operation admits', async () => {
    const callers = [byKey('none', 'none'), byKey('unknown key', 'unknown key', 'a key that does not exist')];
    expect(await contradictionsOf(operations, callers)).toEqual([]);
  });

  it('should be the holders of keys whom each operation admits', async () => {
    const { dataSource } = catalog;
    await dataSource.query(`INSERT INTO users (id, last_name, subject) VALUES (90001, 'Reader', 'reader')`);
    await dataSource.query(`INSERT INTO endpoints (id, name) VALUES (90001, 'Portal')`);
    const personal = await giveKey(catalog, { user: 90_001 }, 'p'.repeat(64));
    const ofEndpoint = await giveKey(catalog, { endpoint: 90_001 }, 'e'.repeat(64));
    const callers = [
      byKey('global', 'key', globalKey, ['global']),
      { ...byKey('user', 'key', personal, ['user']), subject: 'reader' },
      byKey('endpoint', 'key', ofEndpoint, ['endpoint']),
    ];
    expect(await contradictionsOf(operations, callers)).toEqual([]);
  });

  it('should be the service keys that each operation admits', async () => {
    const callers: Caller[] = [];
    for (const scope of scopes) {
      const body = JSON.stringify({ name: scope.replace(':', '-'), scopes: [scope] });
      const made = await catalog.fetch('/api/admin/service-keys', { method: 'POST', key: globalKey, body });
      const { key } = (await made.json()) as { key: string };
      callers.push(byKey(scope, 'key', key, ['service', `scope:${scope}`]));
    }
    expect(await contradictionsOf(operations, callers)).toEqual([]);
  }, 120_000);

  it('should be the sessions that each operation admits', async () => {
    const callers = [
      await bySession('no role', []),
      ...(await Promise.all(roles.map((each) => bySession(each, [each])))),
    ];
    expect(await contradictionsOf(operations, callers)).toEqual([]);
  }, 120_000);

  it('should be refused when a write by session has no CSRF token', async () => {
    const { send } = await bySession('without a token', ['admin'], { sendsToken: false });
    const writes = operations.filter(
      ({ method, security = [] }) => method !== 'GET' && security.some((each) => 'csrf' in each),
    );
    expect(writes.length).toBeGreaterThan(50);
    const answers = await Promise.all(
      writes.map(async (operation) => codeOf(await send(addressOf(operation), requestOf(operation)))),
    );
    expect(new Set(answers)).toEqual(new Set(['csrf.refused']));
  });

  function byKey(name: string, scheme: Caller['scheme'], key?: string, rules: readonly string[] = []): Caller {
    const send: Caller['send'] = (path, request) =>
      catalog.fetch(path, { ...request, ...(key !== undefined && { key }) });
    return { name, scheme, rules, send };
  }

  async function bySession(
    name: string,
    held: readonly string[],
    { sendsToken = true }: { readonly sendsToken?: boolean } = {},
  ): Promise<Caller> {
    const login = `${name.replaceAll(' ', '-')}@example.org`;
    await catalog.dataSource.query(
      'INSERT INTO users (last_name, subject, email, password_hash, roles) VALUES ($1, $1, $2, $3, $4)',
      [name, login, await hashQuickly(password), held],
    );
    const browser = new Browser(catalog.url);
    const signIn = async (): Promise<void> => {
      expect((await browser.signIn(login, password)).status).toBe(200);
      if (!sendsToken) browser.csrf = undefined;
    };
    await signIn();
    const send: Caller['send'] = async (path, request) => {
      const answer = await browser.fetch(path, request);
      if (browser.cookies.size === 0) await signIn();
      return answer;
    };
    return {
      name,
      subject: name,
      scheme: 'session',
      rules: ['session', ...held.map((role) => `session:${role}`)],
      send,
    };
  }
});
