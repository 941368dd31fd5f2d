import { postEntitlements, webhookOn } from '../../test/access-requests.js';
import { startCatalog, type RunningCatalog } from '../../test/catalog.js';

describe('POST /api/accessreq, who may', () => {
  const ask = async (catalog: RunningCatalog, forwarded: string): Promise<number> =>
    (await postEntitlements(catalog, [], { 'X-Forwarded-For': forwarded }))[0];

  it('should look at the method, then the switch, then the address, then the body', async () => {
    const off = await startCatalog({ ACCESSREQ_ALLOWED_IP_ADDRESSES: '*' });
    const wrongMethod = await off.fetch('/api/accessreq');
    expect([wrongMethod.status, wrongMethod.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await postEntitlements(off, 'not JSON')).toMatchObject([403, { more: { code: 'accessreq.disabled' } }]);
    await off.stop();
    const closed = await startCatalog({ ACCESSREQ_INTEGRATION_ENABLED: 'true' });
    expect(await postEntitlements(closed, 'not JSON')).toMatchObject([403, { more: { code: 'address.refused' } }]);
    await closed.stop();
  });

  it('should not believe a caller who forwards itself', async () => {
    const catalog = await startCatalog({ ...webhookOn, ACCESSREQ_ALLOWED_IP_ADDRESSES: '10.0.0.0/8,2001:db8::/32' });
    for (const forged of [
      '10.1.2.3',
      '::ffff:10.1.2.3',
      '2001:db8::1',
      '10.1.2.3, 10.1.2.3',
      '10.1.2.3:80',
      '"10.1.2.3"',
    ]) {
      expect([forged, await ask(catalog, forged)]).toEqual([forged, 403]);
    }
    await catalog.stop();
  });

  it('should believe trusted proxies only, from the right, through two of them', async () => {
    const catalog = await startCatalog({
      ...webhookOn,
      ACCESSREQ_ALLOWED_IP_ADDRESSES: '10.0.0.0/8,2001:db8::/32',
      TRUSTED_PROXIES: '127.0.0.1,172.16.0.0/12',
    });
    expect(await ask(catalog, '10.1.2.3')).toBe(200);
    expect(await ask(catalog, '2001:db8::5')).toBe(200);
    expect(await ask(catalog, '::ffff:10.1.2.3')).toBe(200);
    expect(await ask(catalog, '10.1.2.3, 172.16.0.9')).toBe(200);
    expect(await ask(catalog, '192.0.2.1, 10.1.2.3')).toBe(200);
    expect(await ask(catalog, '10.1.2.3, 192.0.2.1')).toBe(403);
    expect(await ask(catalog, '10.1.2.3, 192.0.2.1, 172.16.0.9')).toBe(403);
    await catalog.stop();
  });
});
