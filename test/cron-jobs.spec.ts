import { execFile } from 'node:child_process';
import { globalKey as catalogKey, startCatalog } from '../apps/catalog-api/test/catalog.js';
import { startFaultyScimServer } from '../apps/catalog-api/test/scim-server.js';
import { globalKey as provisionerKey, TestSystem } from '../apps/provisioner/test/support/system.js';
import { renderedObjects } from './support/rendered-objects.js';

interface Container {
  args: string[];
  env: { name: string; value?: string; valueFrom?: unknown }[];
}

interface CronJob {
  spec: { jobTemplate: { spec: { template: { spec: { containers: [Container] } } } } };
}

interface Ended {
  code: number | string | null | undefined;
  said: string;
}

/** Runs the program of a rendered CronJob with the given keys. The program calls `url` instead of the named service. */
function run(name: string, url: string, keys: Record<string, string>): Promise<Ended> {
  const [job] = renderedObjects<CronJob>('optional', 'CronJob', name);
  if (!job) throw new Error(`k8s/overlays/optional has no CronJob ${name}.`);
  const [{ args, env }] = job.spec.jobTemplate.spec.template.spec.containers;
  const call = env.find(({ name }) => name === 'CALL')?.value ?? '';
  const environment = { CALL: `${url}${new URL(call).pathname}`, ...keys };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env: environment }, (error, stdout, stderr) => {
      resolve({ code: error ? error.code : 0, said: `${stdout}${stderr}` });
    });
  });
}

/** Creates a service key of the catalog with the given scopes. */
async function makeServiceKey(url: string, scopes: string[]): Promise<string> {
  const answer = await fetch(`${url}/api/admin/service-keys`, {
    method: 'POST',
    headers: { 'X-API-Key': catalogKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: scopes.join(' ').replace(':', '-'), scopes }),
  });
  return ((await answer.json()) as { key: string }).key;
}

describe('the CronJobs', () => {
  it('should request a scheduled import, and fail when its key is refused', async () => {
    const system = await TestSystem.create();
    await system.startServer();
    const done = await run('scheduled-import', system.url, { GLOBAL_API_KEY: provisionerKey });
    expect(done.said).toMatch(/^202 \{"id":"\w{26}"/);
    expect(done.code).toBe(0);
    const refused = await run('scheduled-import', system.url, {
      API_KEY: 'a wrong key',
      GLOBAL_API_KEY: provisionerKey,
    });
    expect(refused.said).toMatch(/^40[13] .*"code"/);
    expect(refused.code).toBe(1);
    await system.stop();
  }, 30_000);

  it('should synchronise accounts, and fail when the service does not answer', async () => {
    const scim = await startFaultyScimServer();
    const catalog = await startCatalog(scim.settings);
    scim.accounts.set('ada', { id: 'ada', email: 'ada@example.org', givenName: 'Ada', familyName: 'Byron' });
    const done = await run('account-sync', catalog.url, { GLOBAL_API_KEY: catalogKey });
    expect(done.said).toMatch(/^200 .*"created":1,/);
    expect(done.code).toBe(0);
    const serviceKey = await makeServiceKey(catalog.url, ['idp:sync']);
    const scoped = await run('account-sync', catalog.url, { API_KEY: serviceKey });
    expect(scoped.said).toMatch(/^200 .*"created":0,/);
    const other = await run('account-sync', catalog.url, {
      API_KEY: await makeServiceKey(catalog.url, ['records:read']),
      GLOBAL_API_KEY: catalogKey,
    });
    expect(other.said).toMatch(/^403 .*"access.denied"/);
    await catalog.stop();
    await scim.stop();
    const failed = await run('account-sync', catalog.url, { GLOBAL_API_KEY: catalogKey });
    expect(failed.said).toContain('ECONNREFUSED');
    expect(failed.code).toBe(1);
  }, 30_000);
});
