import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { globalKey, startCatalog, type RunningCatalog } from '../apps/catalog-api/test/catalog.ts';
import { until } from '../test/support/until.ts';
import { freePort } from './free-port.ts';
import { describeSampleProvider, sampleProviderSettings } from './launcher/sample-identity-provider.ts';

const root = join(import.meta.dirname, '..');
const helena = '5b0e6a52-7c1f-5d38-9a44-3f1d6c2b8e01';

describe('the identity provider of the sample', () => {
  let folder: string;
  let provider: ChildProcess;
  let settings: ReturnType<typeof sampleProviderSettings>;
  let catalog: RunningCatalog;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sample-provider-'));
    const port = await freePort();
    settings = sampleProviderSettings(port, 'token of this run');
    const described = describeSampleProvider(port, root, settings);
    provider = described.spawn(join(folder, 'log'));
    await until(async () => {
      expect(provider.exitCode).toBeNull();
      return described.isReady();
    });
    catalog = await startCatalog({
      ...settings,
      ACCESSREQ_INTEGRATION_ENABLED: 'true',
      ACCESSREQ_ALLOWED_IP_ADDRESSES: '127.0.0.1',
    });
    const lines = (await readFile(join(root, 'sample/catalog.ndjson'), 'utf8')).trimEnd().split('\n');
    await catalog.fill(lines.slice(1).map((line) => JSON.parse(line) as object));
  });

  afterAll(async () => {
    provider.kill('SIGKILL');
    await catalog.stop();
    await rm(folder, { recursive: true });
  });

  const force = async (): Promise<unknown> =>
    (await catalog.fetch('/api/idp/force', { method: 'POST', key: globalKey })).json();

  it('should activate an entitlement of the sample for a person who exists at the provider only', async () => {
    await catalog.dataSource.query('DELETE FROM users WHERE subject = $1', [helena]);
    const body = JSON.stringify({ application: 9, resource: 'RDC_11', user: helena, end: null });
    const posted = await catalog.fetch('/api/accessreq', { method: 'POST', body });
    expect(await posted.json()).toMatchObject({ status: 'Success', results: [{ outcome: 'granted' }] });
    const people = await catalog.dataSource.query<unknown[]>(
      'SELECT first_name, last_name FROM users WHERE subject = $1',
      [helena],
    );
    expect(people).toEqual([{ first_name: 'Helena', last_name: 'Schmit' }]);
    await catalog.dataSource.query('DELETE FROM accesses WHERE application = 9');
    await catalog.dataSource.query('DELETE FROM users WHERE subject = $1', [helena]);
  });

  it('should create, rename and skip people as the README shows, and change nothing at the second synchronisation', async () => {
    const found = { status: 'Success', provider: 'scim', fetched: 16, deactivated: 0, skipped: 1, conflicts: [] };
    expect(await force()).toMatchObject({ ...found, created: 4, updated: 1, unchanged: 10 });
    expect(await force()).toMatchObject({ ...found, created: 0, updated: 0, unchanged: 15 });
  });

  it('should refuse requests without its token, and changes of accounts', async () => {
    const accounts = `${settings.SCIM_URL}/Users`;
    expect((await fetch(accounts)).status).toBe(401);
    const headers = { Authorization: `Bearer ${settings.SCIM_TOKEN}`, 'Content-Type': 'application/scim+json' };
    expect((await fetch(`${accounts}/${helena}`, { headers })).status).toBe(200);
    expect((await fetch(`${accounts}/${helena}`, { headers, method: 'DELETE' })).status).toBe(403);
  });

  it('should end when it receives SIGTERM', async () => {
    const port = await freePort();
    const described = describeSampleProvider(port, root, sampleProviderSettings(port, 'token of this run'));
    const another = described.spawn(join(folder, 'log of another'));
    await until(() => described.isReady());
    const ended = once(another, 'exit');
    another.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });
});
