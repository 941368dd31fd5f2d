import { once } from 'node:events';
import { connect } from 'node:net';
import { globalKey } from './catalog.js';
import { startWritableCatalog, type WritableCatalog } from './writing.js';

const kibibyte = 1024;

describe('hostile bodies', () => {
  let catalog: WritableCatalog;

  beforeAll(async () => {
    catalog = await startWritableCatalog({
      ...{ ACCESSREQ_INTEGRATION_ENABLED: 'true', ACCESSREQ_ALLOWED_IP_ADDRESSES: '127.0.0.1' },
    });
  });

  afterAll(() => catalog.stop());

  const statusOf = async (path: string, body: string, key?: string): Promise<number> =>
    (await catalog.fetch(path, { method: 'POST', body, ...(key !== undefined && { key }) })).status;

  describe('POST /api/session', () => {
    const manyMembers = (count: number): string =>
      `{${Array.from({ length: count }, (_, at) => `"member${String(at)}":1`).join()}}`;

    it('should refuse 100,000 members without building anything from them', async () => {
      const begun = performance.now();
      expect(await statusOf('/api/session', manyMembers(100_000))).toBe(413);
      expect(await statusOf('/api/session', manyMembers(900))).toBe(400);
      expect(performance.now() - begun).toBeLessThan(3000);
    });

    it.each([undefined, globalKey])('should take at most 16 KiB with the key %s', async (key) => {
      const sized = (bytes: number): string => `{"login":"${'x'.repeat(bytes - 12)}"}`;
      expect(await statusOf('/api/session', sized(16 * kibibyte), key)).toBe(400);
      expect(await statusOf('/api/session', sized(16 * kibibyte + 1), key)).toBe(413);
    });

    it('should answer 400, not 500, when the body is nested deeply', async () => {
      expect(await statusOf('/api/session', '['.repeat(16_000))).toBe(400);
      expect(await statusOf('/api/session', `{"login":${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}}`)).toBe(400);
    });
  });

  describe('POST /api/accessreq', () => {
    it('should take at most 1 MiB', async () => {
      expect(await statusOf('/api/accessreq', ' '.repeat(kibibyte * kibibyte))).toBe(400);
      expect(await statusOf('/api/accessreq', ' '.repeat(kibibyte * kibibyte + 1))).toBe(413);
    });

    it.each([
      ['the webhook is off', { ACCESSREQ_INTEGRATION_ENABLED: 'false' }],
      [
        'the address is not allowed',
        { ACCESSREQ_INTEGRATION_ENABLED: 'true', ACCESSREQ_ALLOWED_IP_ADDRESSES: '10.0.0.1' },
      ],
    ])('should answer 403 before the body has arrived when %s', async (_, settings) => {
      const other = await startWritableCatalog(settings);
      const { port } = new URL((await other.fetch('/health/live')).url);
      const socket = connect(Number(port), '127.0.0.1');
      try {
        socket.write('POST /api/accessreq HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n[');
        expect(String((await once(socket, 'data'))[0])).toContain('HTTP/1.1 403');
      } finally {
        socket.destroy();
        await other.stop();
      }
    });
  });

  describe('POST /api/import', () => {
    it.each([
      ['is nested too deeply', `{"name":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, 'nested at most 100 deep'],
      ['holds too many values', `{"name":[${'1,'.repeat(200_000)}1]}`, 'at most 100000 values'],
    ])('should name an item that %s', async (_, item, reason) => {
      const { status, body } = await catalog.send(
        'POST',
        '/api/import/partners',
        `{"items":[{"name":"Good"},${item}]}`,
      );
      expect([status, body]).toMatchObject([
        400,
        { more: { items: [{ index: 1, reason: expect.stringContaining(reason) as string }] } },
      ]);
    });

    it('should stop reading when there are more problems than an answer names', async () => {
      const { status, body } = await catalog.send(
        'POST',
        '/api/import/partners',
        `{"items":[${'1,'.repeat(500_000)}1]}`,
      );
      expect([status, body]).toMatchObject([400, { more: { problems: 1001 } }]);
    });

    it('should find the items when they follow many other members', async () => {
      const others = Array.from({ length: 50_000 }, (_, at) => `"other${String(at)}":[]`).join();
      const { body } = await catalog.send(
        'POST',
        '/api/import/partners?dry_run=true',
        `{${others},"items":[{"name":"Good"}]}`,
      );
      expect(body).toMatchObject({ items: 1, created: 1 });
    });
  });

  describe('PATCH of a record', () => {
    it('should refuse serialised metadata that is nested too deeply', async () => {
      await catalog.send('POST', '/api/partners', { name: 'Partner', external_id: 'P-1' });
      const metadata = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
      const { status, body } = await catalog.send('PATCH', '/api/partners/P-1', { metadata });
      expect([status, body]).toMatchObject([400, { more: { fields: [{ field: 'metadata' }] } }]);
    });
  });
});
