import { startCatalog, type RunningCatalog } from '../../apps/catalog-api/test/catalog.ts';
import { Browser } from '../../apps/catalog-api/test/support/browser.ts';
import { TestSystem } from '../../apps/provisioner/test/support/system.ts';
import { ForwardingHeaders } from '../../scripts/gateway/forwarding-headers.ts';
import { Gateway } from '../../scripts/gateway/gateway.ts';

/** The administrator of the catalog. */
export const administrator = { email: 'ada@example.org', password: 'correct horse battery staple' };

const shared = {
  SESSION_SECRET: 'the session secret of both services',
  GATEWAY_SECRET: 'the secret of the gateway',
};

/** A catalog and a provisioner with one dataset, behind one gateway. */
export interface OneOrigin {
  readonly catalog: RunningCatalog;
  readonly provisioner: TestSystem;
  /** A browser at the gateway. */
  readonly browser: Browser;
  /** Returns the status of a request for a plan, which is a write: 202, because no worker runs. */
  readonly plan: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

/** @param settings the settings of the catalog @param catalogKey the key of the provisioner at the catalog */
export async function startOneOrigin(settings: Record<string, string>, catalogKey: string): Promise<OneOrigin> {
  const account = { ADMIN_EMAIL: administrator.email, ADMIN_PASSWORD: administrator.password };
  const catalog = await startCatalog({ ...shared, ...account, ...settings });
  const provisioner = await TestSystem.create({ ...shared, CATALOG_URL: catalog.url, CATALOG_API_KEY: catalogKey });
  await provisioner.deliver('SUB-1', { 'DS-1/a.txt': 'a', 'DS-1/.ready': '' });
  await provisioner.startServer();
  const ports = { 'catalog-api': portOf(catalog.url), provisioner: portOf(provisioner.url) };
  const gateway = new Gateway({ ports, headers: new ForwardingHeaders(shared.GATEWAY_SECRET, []) });
  const browser = new Browser(`http://127.0.0.1:${String(await gateway.listen(0, '127.0.0.1'))}`);
  const planning = { method: 'POST', json: { dataset_id: 'DS-1' } };
  return {
    ...{ catalog, provisioner, browser },
    plan: async () => (await browser.fetch('/datasets/srcsys/import?dry_run=true&wait=0', planning)).status,
    stop: async () => {
      await gateway.close();
      await provisioner.stop();
      await catalog.stop();
    },
  };
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
