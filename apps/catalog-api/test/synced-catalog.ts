import type { CatalogBody } from '../../../test/support/documented-body.ts';
import { globalKey, startCatalog, type RunningCatalog } from './catalog.js';
import { startFaultyScimServer, type FaultyScimServer } from './scim-server.js';

type Report = CatalogBody<'POST', '/api/idp/force'>;

/** A catalog that imports accounts from a SCIM service. Stopping the catalog stops both. */
export interface SyncedCatalog extends RunningCatalog {
  readonly scim: FaultyScimServer;
  /** Adds accounts with the ids `many-000000`, `many-000001` and so on to the service. */
  addAccounts(count: number): void;
  /** Synchronises the accounts. Returns the status and the body of the answer. */
  force(query?: string): Promise<[number, Report]>;
  /** Removes all accounts, faults and users. */
  reset(): Promise<void>;
}

/** Starts a SCIM service without accounts, and a catalog without users. */
export async function startSyncedCatalog(): Promise<SyncedCatalog> {
  const scim = await startFaultyScimServer();
  const catalog = await startCatalog(scim.settings);
  return {
    ...catalog,
    scim,
    addAccounts(count) {
      for (let at = 0; at < count; at++) {
        const id = `many-${String(at).padStart(6, '0')}`;
        scim.accounts.set(id, { id, email: `${id}@example.org`, givenName: 'Some', familyName: `Body ${String(at)}` });
      }
    },
    async force(query = '') {
      const response = await catalog.fetch(`/api/idp/force${query}`, { method: 'POST', key: globalKey });
      return [response.status, (await response.json()) as Report];
    },
    async reset() {
      scim.accounts.clear();
      scim.requests.length = 0;
      scim.fail(null);
      await catalog.dataSource.query('TRUNCATE users CASCADE');
    },
    async stop() {
      await catalog.stop();
      await scim.stop();
    },
  };
}
