import { metricsAt } from '../../../test/support/metrics.ts';
import { addDatasets, postEntitlements, webhookOn } from './access-requests.js';
import { globalKey, startCatalog, type RunningCatalog } from './catalog.js';
import { startFaultyScimServer, type FaultyScimServer } from './scim-server.js';

describe('GET /metrics of the catalog', () => {
  let scim: FaultyScimServer;
  let catalog: RunningCatalog;

  beforeAll(async () => {
    scim = await startFaultyScimServer([{ id: 'ada', email: 'ada@example.org' }]);
    catalog = await startCatalog({ ...webhookOn, ...scim.settings });
    await addDatasets(catalog);
  });

  afterAll(async () => {
    await catalog.stop();
    await scim.stop();
  });

  const force = (): Promise<Response> => catalog.fetch('/api/idp/force', { method: 'POST', key: globalKey });

  it('should count synchronisations by result, and accounts by action', async () => {
    expect((await force()).status).toBe(200);
    scim.fail(500);
    expect((await force()).status).toBe(503);
    const figures = await metricsAt(catalog.url);
    expect(figures.get('catalog_account_syncs_total{result="success"}')).toBe(1);
    expect(figures.get('catalog_account_syncs_total{result="failure"}')).toBe(1);
    expect(figures.get('catalog_account_sync_conflicts')).toBe(0);
    const last = (result: string): number =>
      figures.get(`catalog_account_sync_last_${result}_timestamp_seconds`) ?? Number.NaN;
    expect(last('success')).toBeGreaterThan(0);
    expect(last('failure')).toBeGreaterThan(last('success'));
    const accounts = ['created', 'updated', 'unchanged', 'deactivated', 'skipped'].map(
      (outcome) => figures.get(`catalog_account_sync_accounts_total{outcome="${outcome}"}`) ?? Number.NaN,
    );
    expect(accounts.reduce((sum, each) => sum + each, 0)).toBe(1);
  });

  it('should count the entitlements of the webhook by outcome, including those of a refused post', async () => {
    const claim = (resource: string, end: string | null): object => ({ application: 1, resource, user: 'u', end });
    await postEntitlements(catalog, [claim('RDC_1', null), claim('RDC_404', null)]);
    const figures = await metricsAt(catalog.url);
    expect(figures.get('catalog_accessreq_entitlements_total{outcome="unknown_resource"}')).toBe(1);
    expect(figures.get('catalog_accessreq_entitlements_total{outcome="precreated"}')).toBe(1);
  });

  it('should show the connections to Postgres', async () => {
    const figures = await metricsAt(catalog.url);
    const [limit, open, idle] = ['limit', 'open', 'idle'].map((state) =>
      figures.get(`catalog_database_connections{state="${state}"}`),
    );
    expect(limit).toBe(20);
    expect(open).toBeGreaterThan(0);
    expect(idle).toBeLessThanOrEqual(open ?? 0);
    expect(figures.get('catalog_database_waiting')).toBe(0);
    expect(figures.get('rdc_dependency_up{dependency="postgres"}')).toBe(1);
  });
});
