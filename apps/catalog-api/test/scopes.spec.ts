import { reservedScopes, scopes, type Scope } from '@rdc/auth';
import { globalKey, startCatalog, type RunningCatalog } from './catalog.js';

interface Operation {
  readonly 'x-callers'?: readonly string[];
}

interface Refusal {
  readonly description: string;
  readonly more: { readonly code: string; readonly scopes?: readonly string[] };
}

describe('scopes of service keys', () => {
  let catalog: RunningCatalog;
  let operations: [method: string, path: string, Operation][];
  const keys = {} as Record<Scope, string>;

  beforeAll(async () => {
    catalog = await startCatalog();
    const { paths } = (await (await catalog.fetch('/docs/openapi.json')).json()) as {
      paths: Record<string, Record<string, Operation>>;
    };
    operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]): [string, string, Operation] => [
        method.toUpperCase(),
        path.replaceAll(/\{[^}]*\}/g, '1'),
        operation,
      ]),
    );
    for (const scope of scopes) {
      const body = JSON.stringify({ name: scope.replace(':', '-'), scopes: [scope] });
      const made = await catalog.fetch('/api/admin/service-keys', { method: 'POST', key: globalKey, body });
      keys[scope] = ((await made.json()) as { key: string }).key;
    }
  });
  afterAll(() => catalog.stop());

  it('should admit each operation with the scopes that it declares, and with no other scope', async () => {
    const wrong: string[] = [];
    for (const [method, path, operation] of operations) {
      const declared = scopesOf(operation);
      if (declared === undefined || path.startsWith('/api/session')) continue;
      for (const scope of scopes) {
        const sent = method === 'GET' || method === 'DELETE' ? {} : { body: 'no JSON' };
        const answer = await catalog.fetch(path, { method, key: keys[scope], ...sent });
        const body = (await answer.json().catch(() => null)) as Refusal | null;
        const isRefused = answer.status === 403 && body?.more.code === 'access.denied';
        if (isRefused === declared.includes(scope)) wrong.push(`${scope}: ${method} ${path} ${String(answer.status)}`);
        if (isRefused && !declared.every((each) => body.description.includes(each))) wrong.push(body.description);
      }
    }
    expect(operations.length).toBeGreaterThan(90);
    expect(wrong).toEqual([]);
  }, 120_000);

  it('should declare every scope at an operation, except scopes of the provisioner and reserved scopes', () => {
    const declared = new Set(operations.flatMap(([, , operation]) => scopesOf(operation) ?? []));
    const elsewhere: readonly Scope[] = ['imports:read', 'imports:write', 'imports:withdraw'];
    expect(scopes.filter((scope) => !declared.has(scope))).toEqual(
      scopes.filter((scope) => elsewhere.includes(scope) || reservedScopes.includes(scope)),
    );
  });

  it('should refuse every service key that manages keys, users or service keys', () => {
    const managed = operations.filter(([, path]) => /admin\/(users|endpoints|service-keys|grants)/.test(path));
    expect(managed.length).toBeGreaterThan(15);
    expect(managed.filter(([, , operation]) => scopesOf(operation)?.length !== 0)).toEqual([]);
  });
});

/** Returns the scopes that an operation declares; undefined if it admits every caller. */
function scopesOf({ 'x-callers': callers }: Operation): Scope[] | undefined {
  return callers && scopes.filter((scope) => callers.includes(`scope:${scope}`));
}
