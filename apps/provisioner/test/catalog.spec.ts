import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { withCatalogOver } from '../../../scripts/catalog-service.ts';
import { freePort } from '../../../scripts/free-port.ts';
import { createTestDatabase } from '../../../test/support/test-database.ts';
import { CatalogClient, CatalogUnavailableError } from '../src/post-import/catalog-client.js';
import { FaultProxy, type Call } from './faults/support/fault-proxy.js';
import { provisioner } from './support/command-line.js';
import { buildServices } from '../../../test/support/service-process.ts';
import { globalKey, TestSystem } from './support/system.js';
import { until } from '../../../test/support/until.ts';

interface Dataset {
  readonly name: string;
  readonly description: string | null;
  readonly storages: readonly unknown[];
  readonly metadata: string;
}

/** The size of each dataset of the delivery. */
const size = { bytes: 1, files: 1 };

const location = (id: string): unknown => ({
  platform: 'Data storage',
  location: `data/raw/${id}/`,
  category: 'master',
  accesses: [],
});

describe('the notification of the catalog', () => {
  let system: TestSystem;
  let port: string;

  beforeAll(async () => {
    await buildServices();
  }, 180_000);

  beforeEach(async () => {
    port = String(await freePort());
    system = await TestSystem.create({ CATALOG_URL: `http://127.0.0.1:${port}`, CATALOG_API_KEY: globalKey });
    await system.deliver('SUB-1', { 'DS-1/a': '1', 'DS-2/b': '2', '77/c': '3' });
    await system.startServer();
  });

  afterEach(async () => {
    await system.stop();
  });

  const recordsIn = (kind: string): Promise<string[]> =>
    readdir(join(system.storage, 'data/.requests', kind)).catch(() => []);

  async function importAll(): Promise<void> {
    const { body } = await system.importSubmission('SUB-1', 'all');
    await Promise.all(body.datasets.map(({ import_id }) => system.ended(import_id)));
  }

  async function call(method: string, path: string, body?: object): Promise<{ status: number; body: Dataset }> {
    const response = await fetch(`http://127.0.0.1:${port}/api${path}`, {
      method,
      headers: { 'X-API-Key': globalKey, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Dataset };
  }

  it('should notify of imports and withdrawals when the catalog was down and the worker was restarted', async () => {
    await system.startWorker();
    await importAll();
    // The id 77 cannot be an accession, so it may be recorded as refused without the catalog.
    const recorded = [...(await recordsIn('pending/catalog')), ...(await recordsIn('untold'))];
    expect([...new Set(recorded.map((name) => name.replace(/~.*|\.json$/, '')))].sort()).toEqual([
      '77',
      'DS-1',
      'DS-2',
    ]);
    await system.stopWorkers();
    const database = await createTestDatabase();
    const settings = { PORT: port, GLOBAL_API_KEY: globalKey, SERVER_URL: 'http://localhost' };
    await withCatalogOver(database.url, settings, async () => {
      const own = { platform: 'Tape', location: '/old', category: 'backup', accesses: ['ask'] };
      const record = { external_id: 'DS-1', name: 'First', description: 'kept', storages: [own] };
      expect((await call('POST', '/datasets?create_missing=true', record)).status).toBe(201);
      await system.startWorker();
      await until(async () => (await recordsIn('pending/catalog')).length === 0);
      const dataset = (await call('GET', '/datasets/DS-1')).body;
      expect(dataset).toMatchObject({ name: 'First', description: 'kept', storages: [own, location('DS-1')] });
      expect(JSON.parse(dataset.metadata)).toEqual({ stored_size: size });
      expect((await recordsIn('untold')).sort()).toEqual(['77.json', 'DS-2.json']);
      expect((await call('GET', '/datasets/DS-2')).status).toBe(404);
      const withdrawn = await provisioner(system.environment, 'withdraw', 'DS-1', '--reason', 'a test');
      expect(withdrawn.code).toBe(0);
      await until(async () => (await call('GET', '/datasets/DS-1')).body.storages.length === 1);
      expect((await call('GET', '/datasets/DS-1')).body).toMatchObject({
        name: 'First',
        storages: [own],
        metadata: '{}',
      });
      const again = { dataset_id: 'DS-1', reimport_of_withdrawn: true };
      await system.ended((await system.post('/datasets/srcsys/import', again)).body.id);
      await until(async () => (await call('GET', '/datasets/DS-1')).body.storages.length === 2);
      const client = new CatalogClient(`http://127.0.0.1:${port}/`, globalKey, true);
      const entry = { platform: 'Data storage', location: 'data/raw/DS-1/', category: 'master' } as const;
      const both = await Promise.all([client.record('DS-1', entry, size), client.record('DS-1', entry, size)]);
      expect(both).toEqual([{ state: 'recorded' }, { state: 'recorded' }]);
      expect((await call('GET', '/datasets/DS-1')).body.storages).toHaveLength(2);
      expect(await client.record('DS-2', { ...entry, location: 'data/raw/DS-2/' }, size)).toEqual({ state: 'drafted' });
      const draft = (await call('GET', '/datasets/DS-2')).body;
      expect(draft).toMatchObject({ name: 'DS-2', storages: [location('DS-2')] });
      expect(JSON.parse(draft.metadata)).toEqual({ stored_size: size });
      const stranger = new CatalogClient(`http://127.0.0.1:${port}`, 'wrong', false);
      await expect(stranger.record('DS-1', entry, size)).rejects.toThrow(CatalogUnavailableError);
    });
  }, 120_000);

  it('should report each ending once when the catalog was down', async () => {
    await system.deliver('SUB-2', { 'DS-3/a': '1', 'DS-3/a.md5': `${'0'.repeat(32)}  a\n` });
    await system.startWorker();
    const rejected = (await system.importSubmission('SUB-2', 'all')).body.datasets.map(({ import_id }) => import_id);
    await importAll();
    await Promise.all(rejected.map((id) => system.ended(id)));
    expect(
      (await recordsIn('pending/ending')).filter((name) => rejected.some((id) => name === `${id}~1.json`)),
    ).toHaveLength(rejected.length);
    await system.stopWorkers();
    const database = await createTestDatabase();
    const settings = { PORT: port, GLOBAL_API_KEY: globalKey, SERVER_URL: 'http://localhost' };
    await withCatalogOver(database.url, settings, async () => {
      const types = ['import.finished', 'import.rejected'];
      const subscription = { name: 'tickets', url: 'https://tickets.example.invalid/', types };
      expect((await call('POST', '/admin/event-subscriptions', subscription)).status).toBe(201);
      await system.startWorker();
      await until(async () => (await recordsIn('pending/ending')).length === 0);
      const { body } = (await call('GET', '/admin/event-subscriptions/1/deliveries')) as unknown as {
        body: { items: readonly { payload: { type: string; data: Record<string, unknown> } }[] };
      };
      const events = body.items.map(
        ({ payload: { type, data } }) => `${type} ${String(data['id'])} ${String(data['code'])}`,
      );
      expect(events.filter((event) => event.startsWith('import.rejected'))).toEqual([
        'import.rejected DS-3 checksum.mismatch',
      ]);
      expect(events).toContain('import.finished DS-1 null');
      expect(new Set(events).size).toBe(events.length);
      await system.stopWorkers();
    });
  }, 120_000);

  it('should notify of the other datasets when the catalog fails for one dataset', async () => {
    const proxy = await FaultProxy.before(`http://127.0.0.1:${port}`);
    const database = await createTestDatabase();
    const settings = { PORT: port, GLOBAL_API_KEY: globalKey, SERVER_URL: 'http://localhost' };
    await withCatalogOver(database.url, settings, async () => {
      for (const id of ['DS-1', 'DS-2']) await call('POST', '/datasets', { external_id: id, name: id, storages: [] });
      const isFirst = ({ path }: Call): boolean => path === '/api/datasets/DS-1/storages';
      proxy.spoil(Infinity, isFirst, { kind: 'answer', status: 500, code: 'internal' });
      await system.startWorker({ CATALOG_URL: proxy.url });
      await importAll();
      await until(async () => (await call('GET', '/datasets/DS-2')).body.storages.length === 1);
      await until(async () => (await recordsIn('pending/catalog')).length === 1);
      expect((await recordsIn('pending/catalog'))[0]).toMatch(/^DS-1~/);
      proxy.spoil(0, isFirst, { kind: 'reset' });
      await until(async () => (await call('GET', '/datasets/DS-1')).body.storages.length === 1);
      await system.stopWorkers();
    });
    proxy.stop();
  }, 180_000);
});
