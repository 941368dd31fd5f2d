import { jest } from '@jest/globals';
import { startFaultProxy, type FaultProxy } from '../../../test/fault-proxy.js';
import { describeIdentityProvider, type AccountServer } from '../../../test/identity-provider-contract.js';
import { KeycloakProvider } from './keycloak.provider.js';
import { defaultLimits, type ProviderLimits } from './provider-client.js';

const origin = process.env['TEST_KEYCLOAK_URL'] ?? '';
const users = `${origin}/admin/realms/ardenne/users`;

function connectAs(clientSecret: string): (through: string, limits?: ProviderLimits) => KeycloakProvider {
  return (url, limits) =>
    new KeycloakProvider({ url, realm: 'ardenne', clientId: 'catalog-accounts', clientSecret }, limits);
}

const connect = connectAs('catalog-accounts-secret');

function startAccounts(): Promise<AccountServer> {
  const added = new Set<string>();
  return Promise.resolve({
    origin,
    connect,
    connectAsStranger: connectAs('wrong'),
    async add(name: string) {
      const answer = await change(users, 'POST', {
        username: name,
        email: `${name}@example.org`,
        firstName: 'Plain',
        lastName: 'Person',
        emailVerified: true,
        enabled: true,
      });
      const subject = answer.headers.get('location')?.split('/').at(-1) ?? '';
      added.add(subject);
      return subject;
    },
    async disable(subject: string) {
      await change(`${users}/${subject}`, 'PUT', { enabled: false });
    },
    async remove(subject: string) {
      await change(`${users}/${subject}`, 'DELETE');
      added.delete(subject);
    },
    async stop() {
      for (const subject of added) await change(`${users}/${subject}`, 'DELETE');
    },
  });
}

async function change(url: string, method: string, body?: object): Promise<Response> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'fixtures',
    client_secret: 'fixtures-secret',
  });
  const granted = await fetch(`${origin}/realms/ardenne/protocol/openid-connect/token`, { method: 'POST', body: form });
  const { access_token: token } = (await granted.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(url, { method, headers, body: body ? JSON.stringify(body) : null });
  if (!answer.ok) throw new Error(`${method} ${url}: ${String(answer.status)} ${await answer.text()}`);
  return answer;
}

describeIdentityProvider('Keycloak', startAccounts);

describe('the token for Keycloak', () => {
  let proxy: FaultProxy;

  beforeEach(async () => {
    proxy = await startFaultProxy(origin);
  });

  afterEach(() => proxy.stop());

  const tokenRequests = (): number => proxy.requests.filter((path) => path.endsWith('/token')).length;

  it('should be requested once for many requests, including concurrent requests', async () => {
    const provider = connect(proxy.url);
    await Promise.all(Array.from({ length: 8 }, () => provider.findAccount('nobody')));
    await provider.findAccount('nobody');
    expect(tokenRequests()).toBe(1);
  });

  it('should be renewed when it is refused before its end', async () => {
    const provider = connect(proxy.url);
    await provider.findAccount('nobody');
    let refused = 0;
    proxy.failing = (path) => (path.endsWith('/token') || refused++ > 0 ? null : 401);
    expect(await provider.findAccount('nobody')).toBeNull();
    expect(tokenRequests()).toBe(2);
  });

  it('should be renewed before it ends', async () => {
    const provider = connect(proxy.url);
    await provider.findAccount('nobody');
    const later = Date.now() + 3_600_000;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(later);
    await provider.findAccount('nobody');
    clock.mockRestore();
    expect(tokenRequests()).toBe(2);
  });

  it('should be requested again after an outage of Keycloak', async () => {
    const provider = connect(proxy.url, { ...defaultLimits, answerTimeoutMs: 5000 });
    proxy.failing = () => 503;
    await expect(provider.findAccount('nobody')).rejects.toThrow('does not answer');
    proxy.failing = () => null;
    expect(await provider.findAccount('nobody')).toBeNull();
    expect(tokenRequests()).toBe(2);
  });
});
