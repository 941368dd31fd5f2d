import { DependencyDownError } from '@rdc/errors';
import type { Account, IdentityProvider } from '../src/people/identity-provider/identity-provider.js';
import type { ProviderLimits } from '../src/people/identity-provider/provider-client.js';
import { startFaultProxy, type Fault, type FaultProxy } from './fault-proxy.js';

/** A real server of accounts, which a test can change. */
export interface AccountServer {
  /** `http://host:port` */
  readonly origin: string;
  /** Returns the adapter, which reaches the server through another origin. */
  connect(origin: string, limits: ProviderLimits): IdentityProvider;
  /** Creates the account of a person with a verified address. Returns the identifier. */
  add(name: string): Promise<string>;
  disable(subject: string): Promise<void>;
  remove(subject: string): Promise<void>;
  /** Returns an adapter with a wrong secret. */
  connectAsStranger(origin: string, limits: ProviderLimits): IdentityProvider;
  stop(): Promise<void>;
}

const faults: readonly Fault[] = ['hang', 'reset', 'html', 400, 401, 403, 429, 500, 503];

/** Declares the tests that every adapter of an identity provider must pass with a real server. */
export function describeIdentityProvider(name: string, start: () => Promise<AccountServer>): void {
  describe(`${name}, as an identity provider`, () => {
    let server: AccountServer;
    let proxy: FaultProxy;

    beforeAll(async () => {
      server = await start();
      proxy = await startFaultProxy(server.origin);
    });

    afterEach(() => {
      proxy.failing = () => null;
      proxy.requests.length = 0;
    });

    afterAll(async () => {
      await proxy.stop();
      await server.stop();
    });

    const connect = (pageSize = 100, answerTimeoutMs = 15_000): IdentityProvider =>
      server.connect(proxy.url, { pageSize, answerTimeoutMs });

    async function addMany(prefix: string, count: number): Promise<string[]> {
      const subjects: string[] = [];
      for (let at = 0; at < count; at++) subjects.push(await server.add(`${prefix}-${String(at)}`));
      return subjects;
    }

    it('should return an account with all members', async () => {
      const subject = await server.add('plain');
      const account: Account = {
        subject,
        email: 'plain@example.org',
        firstName: 'Plain',
        lastName: 'Person',
        verified: true,
        enabled: true,
      };
      expect(await connect().findAccount(subject)).toEqual(account);
      expect(await listed(connect())).toContainEqual(account);
      await server.disable(subject);
      expect(await connect().findAccount(subject)).toEqual({ ...account, enabled: false });
      expect(await listed(connect())).toContainEqual({ ...account, enabled: false });
    });

    it.each([1, 2, 3, 1000])('should list each account once in pages of %i', async (pageSize) => {
      const before = await subjectsOf(connect(1000));
      const added = await addMany(`page-${String(pageSize)}`, 6);
      const subjects = await subjectsOf(connect(pageSize));
      expect(subjects.sort()).toEqual([...before, ...added].sort());
      for (const subject of added) await server.remove(subject);
      expect((await subjectsOf(connect(pageSize))).sort()).toEqual(before.sort());
    });

    it('should list or find every remaining account when accounts are added and removed during the listing', async () => {
      const [first, ...staying] = await addMany('moving', 7);
      const provider = connect(2);
      const seen: string[] = [];
      let moved = false;
      for await (const page of provider.listAccounts()) {
        seen.push(...page.map(({ subject }) => subject));
        if (moved || !seen.includes(first ?? '')) continue;
        moved = true;
        await server.remove(first ?? '');
        staying.push(await server.add('moving-9'));
      }
      expect(moved).toBe(true);
      for (const subject of staying.filter((each) => !seen.includes(each))) {
        expect(await provider.findAccount(subject)).toMatchObject({ subject });
      }
      expect(await provider.findAccount(first ?? '')).toBeNull();
    });

    it.each(['unknown', '', '.', '..', 'a/b', '?', '#', '%', 'ü', 'count', 'x'.repeat(300)])(
      'should find no account by the identifier %j',
      async (subject) => {
        expect(await connect().findAccount(subject)).toBeNull();
      },
    );

    it.each(faults)('should throw DependencyDownError when the server fails with %s', async (fault) => {
      const subject = await server.add(`failing-${String(fault)}`);
      const provider = connect(100, 300);
      proxy.failing = () => fault;
      await expect(provider.findAccount(subject)).rejects.toThrow(DependencyDownError);
      await expect(listed(provider)).rejects.toThrow(DependencyDownError);
      proxy.failing = () => null;
      expect(
        await server.connect(proxy.url, { pageSize: 100, answerTimeoutMs: 15_000 }).findAccount(subject),
      ).toMatchObject({ subject });
    });

    it('should fail when the server fails after the first page of a list', async () => {
      await addMany('half', 3);
      const provider = connect(1);
      let pages = 0;
      const read = async (): Promise<void> => {
        for await (const page of provider.listAccounts()) {
          pages += page.length;
          proxy.failing = () => 500;
        }
      };
      await expect(read()).rejects.toThrow(DependencyDownError);
      expect(pages).toBe(1);
    });

    it('should fail when no server listens at the address', async () => {
      const gone = await startFaultProxy(server.origin);
      await gone.stop();
      const provider = server.connect(gone.url, { pageSize: 100, answerTimeoutMs: 15_000 });
      await expect(provider.findAccount('unknown')).rejects.toThrow(DependencyDownError);
      await expect(listed(provider)).rejects.toThrow(DependencyDownError);
    });

    it('should stop a search when its signal aborts', async () => {
      proxy.failing = () => 'hang';
      const began = performance.now();
      await expect(connect().findAccount('unknown', AbortSignal.timeout(100))).rejects.toThrow(DependencyDownError);
      expect(performance.now() - began).toBeLessThan(2000);
    });

    it('should throw DependencyDownError when the secret is wrong', async () => {
      const stranger = server.connectAsStranger(proxy.url, { pageSize: 100, answerTimeoutMs: 15_000 });
      await expect(stranger.findAccount('unknown')).rejects.toThrow(DependencyDownError);
      await expect(listed(stranger)).rejects.toThrow(DependencyDownError);
    });
  });
}

async function listed(provider: IdentityProvider): Promise<Account[]> {
  const accounts: Account[] = [];
  for await (const page of provider.listAccounts()) accounts.push(...page);
  return accounts;
}

async function subjectsOf(provider: IdentityProvider): Promise<string[]> {
  return (await listed(provider)).map(({ subject }) => subject);
}
