import { postEntitlements, webhookOn } from '../../../test/access-requests.js';
import { httpCall } from '../../../../../test/support/http-call.ts';
import { startCatalog, type RunningCatalog } from '../../../test/catalog.js';

/** Headers with which a stranger may claim the allowed addresses 10.1.2.3 and 2001:db8::1. */
const forgeries: readonly Readonly<Record<string, string>>[] = [
  ...[
    '10.1.2.3',
    ' 10.1.2.3 ',
    '\t10.1.2.3',
    '10.1.2.3,',
    ',10.1.2.3',
    ',,10.1.2.3,,',
    '10.1.2.3, 10.1.2.3',
    '10.1.2.3:80',
    '"10.1.2.3"',
    '"10.1.2.3:80"',
    'for=10.1.2.3',
    '::ffff:10.1.2.3',
    '[::ffff:10.1.2.3]',
    '::ffff:a01:203',
    '2001:db8::1',
    '[2001:db8::1]:443',
    '2001:0DB8:0:0::0001',
    '10.1.2.3, unknown',
    'unknown, 10.1.2.3',
    '_hidden',
    '*',
    '0x0a.1.2.3',
    '012.1.2.3',
    '167838211',
    '10.1.515',
  ].map((forwarded) => ({ 'X-Forwarded-For': forwarded })),
  { 'x-FORWARDED-for': '10.1.2.3' },
  { Forwarded: 'for=10.1.2.3' },
  { 'X-Real-IP': '10.1.2.3' },
  { 'X-Client-IP': '10.1.2.3' },
  { 'True-Client-IP': '10.1.2.3' },
  { 'CF-Connecting-IP': '10.1.2.3' },
  { 'X-Gateway-Secret': '', 'X-Forwarded-For': '10.1.2.3' },
];

/** Returns the headers after trusted proxies, each of which adds the address of its client. */
function through(hops: readonly string[], forged: Readonly<Record<string, string>>): Record<string, string> {
  const claimed = Object.entries(forged).find(([name]) => name.toLowerCase() === 'x-forwarded-for');
  const others = Object.fromEntries(Object.entries(forged).filter((entry) => entry !== claimed));
  return { ...others, 'X-Forwarded-For': [...(claimed ? [claimed[1]] : []), ...hops].join(', ') };
}

describe('POST /api/accessreq by address', () => {
  const ask = async (catalog: RunningCatalog, forwarded: string): Promise<number> =>
    (await postEntitlements(catalog, [], { 'X-Forwarded-For': forwarded }))[0];

  it('should check the method, then the setting, then the address, then the body', async () => {
    const off = await startCatalog({ ACCESSREQ_ALLOWED_IP_ADDRESSES: '*' });
    const wrongMethod = await off.fetch('/api/accessreq');
    expect([wrongMethod.status, wrongMethod.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await postEntitlements(off, 'not JSON')).toMatchObject([403, { more: { code: 'accessreq.disabled' } }]);
    await off.stop();
    const closed = await startCatalog({ ACCESSREQ_INTEGRATION_ENABLED: 'true' });
    expect(await postEntitlements(closed, 'not JSON')).toMatchObject([403, { more: { code: 'address.refused' } }]);
    await closed.stop();
  });

  describe('with a forged origin', () => {
    const stranger = '192.0.2.66';
    const proxy = '172.16.0.9';
    const allowed = { ...webhookOn, ACCESSREQ_ALLOWED_IP_ADDRESSES: '10.0.0.0/8,2001:db8::/32' };
    const limits = { RATE_LIMIT_REFUSED_POSTS: '0' };
    let direct: RunningCatalog;
    let proxied: RunningCatalog;

    beforeAll(async () => {
      direct = await startCatalog({ ...allowed, ...limits });
      proxied = await startCatalog({ ...allowed, ...limits, TRUSTED_PROXIES: '127.0.0.1,172.16.0.0/12' });
    });

    afterAll(async () => {
      await direct.stop();
      await proxied.stop();
    });

    const post = async (catalog: RunningCatalog, headers: Readonly<Record<string, string>>): Promise<number> =>
      (await httpCall(Number(new URL(catalog.url).port), 'POST', '/api/accessreq', { body: '[]', headers })).status;

    it.each(forgeries)(
      'should refuse the post with %j: directly, and through one and two trusted proxies',
      async (forged) => {
        expect(await post(direct, forged)).toBe(403);
        expect(await post(proxied, through([stranger], forged))).toBe(403);
        expect(await post(proxied, through([stranger, proxy], forged))).toBe(403);
      },
    );

    it.each(forgeries)('should accept an allowed address with the forged header %j', async (forged) => {
      expect(await post(proxied, through(['10.9.9.9'], forged))).toBe(200);
      expect(await post(proxied, through(['10.9.9.9', proxy], forged))).toBe(200);
    });
  });

  it('should trust the addresses that up to two trusted proxies add at the right end', async () => {
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
