import { addDatasets, webhookOn } from '../../test/access-requests.js';
import { globalKey, startCatalog, type RunningCatalog } from '../../test/catalog.js';
import { daisyAddresses } from './daisy-addresses.js';

const addresses = [...daisyAddresses];

describe('the addresses of DAISY', () => {
  let catalog: RunningCatalog;
  let based: RunningCatalog;

  beforeAll(async () => {
    catalog = await startCatalog({ DAISY_ALIASES: 'true', ...webhookOn });
    based = await startCatalog({ DAISY_ALIASES: 'true', BASE_PATH: '/catalog' });
    await addDatasets(catalog);
  });

  afterAll(() => Promise.all([catalog.stop(), based.stop()]));

  /** Returns what a response says, without its request id. */
  async function answer(path: string, options: Parameters<RunningCatalog['fetch']>[1] = {}): Promise<unknown[]> {
    const response = await catalog.fetch(path, options);
    const body = (await response.text()).replace(/"request_id":"[^"]*"/, '').replace(/"duration_ms":\d+/, '');
    return [response.status, response.headers.get('allow'), response.headers.get('content-type'), body];
  }

  it.each(addresses)('should answer at %s as at %s to every method, key and body', async (alias, path) => {
    const body = JSON.stringify([{ application: 1, resource: 'RDC_404', user: 'ada', end: null }]);
    const requests: readonly NonNullable<Parameters<RunningCatalog['fetch']>[1]>[] = [
      {},
      { method: 'PUT', key: globalKey },
      { method: 'POST' },
      { method: 'POST', key: 'x'.repeat(64) },
      { method: 'POST', key: globalKey, body: '{' },
      { method: 'POST', key: globalKey, body: 'x'.repeat(2_000_000) },
      { method: 'POST', key: globalKey, body },
    ];
    for (const request of requests) expect(await answer(alias, request)).toEqual(await answer(path, request));
    const unknown = { method: 'POST', key: globalKey };
    expect(await answer(`${alias}?nonsense=1`, unknown)).toEqual(await answer(`${path}?nonsense=1`, unknown));
    expect(await answer(`${alias}/`, unknown)).toEqual(await answer(path, unknown));
    expect((await answer(`${alias}/more`, unknown))[0]).toBe(404);
  });

  it('should grant an access that REMS posts to the address of DAISY', async () => {
    const body = JSON.stringify([{ application: 1, resource: 'RDC_1', user: 'grace', end: null }]);
    expect((await catalog.fetch('/api/rems', { method: 'POST', body })).status).toBe(200);
    const permissions = await catalog.fetch('/api/permissions/grace', { key: globalKey });
    expect(await permissions.json()).toEqual(['RDC_1']);
  });

  it('should refuse an address that is not allowed at the address of DAISY too', async () => {
    const closed = await startCatalog({ DAISY_ALIASES: 'true', ACCESSREQ_INTEGRATION_ENABLED: 'true' });
    const response = await closed.fetch('/api/rems', { method: 'POST', body: '[]' });
    expect([response.status, await response.json()]).toMatchObject([403, { more: { code: 'address.refused' } }]);
    await closed.stop();
  });

  it.each(addresses)('should answer at %s after BASE_PATH', async (alias) => {
    expect((await based.fetch(`/catalog${alias}`)).status).toBe(405);
  });

  it.each(addresses)('should answer 404 at %s when DAISY_ALIASES is not set', async (alias) => {
    const plain = await startCatalog(webhookOn);
    expect((await plain.fetch(alias, { method: 'POST', key: globalKey })).status).toBe(404);
    await plain.stop();
  });
});
