import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { EntityManager } from 'typeorm';
import { until } from '../../../../../test/support/until.ts';
import { globalKey, startCatalog, type RunningCatalog } from '../../../test/catalog.js';
import { untilBlocked } from '../../../test/until-blocked.js';
import { acquireWritingLock } from '../writing/writing-lock.js';
import { Semaphore } from './semaphore.js';

/** About 40 MB for every caller, which is more than the socket buffers. */
const large = `
  INSERT INTO endpoints (id, name, public) VALUES (1, 'Portal', true);
  INSERT INTO datasets (id, external_id, uuid, name)
    SELECT n, 'RDC_' || n, gen_random_uuid(), 'Dataset ' || n FROM generate_series(1001, 1400) AS n;
  INSERT INTO dataset_documents (id, created_at, body, storages, public_storages, linked)
    SELECT id, created_at, '"name":"' || repeat('long ', 20000) || '"', '[]', '[]', '"dct:description":"' || repeat('long ', 20000) || '"'
      FROM datasets;
  INSERT INTO exposures (dataset_id, endpoint_id, form_id) SELECT id, 1, 1 FROM datasets`;

describe(Semaphore.name, () => {
  let catalog: RunningCatalog;
  const unread: IncomingMessage[] = [];

  beforeAll(async () => {
    // Two of the four connections serve whole lists, at most one of them public lists. A third one serves writes.
    catalog = await startCatalog({ DATABASE_POOL_SIZE: '4' });
    await catalog.dataSource.query(large);
  });

  afterEach(() => {
    for (const each of unread.splice(0)) each.destroy();
  });

  afterAll(() => catalog.stop());

  /** Requests a whole list without reading the response. */
  const leaveUnread = async (path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> => {
    const response = await new Promise<IncomingMessage>((resolve) =>
      get(`${catalog.url}${path}`, { headers }, resolve),
    );
    unread.push(response);
    return response;
  };

  it('should leave connections to other requests while clients do not read, and release them afterwards', async () => {
    const slow = await leaveUnread('/api/dcat');
    const refused = await Promise.all(
      ['/api/dcat', '/api/partners', '/api/cohorts'].map(async (path) => {
        const { status, headers } = await catalog.fetch(path);
        return [path, status, headers.get('retry-after')];
      }),
    );
    expect(refused).toEqual([
      ['/api/dcat', 429, '30'],
      ['/api/partners', 429, '30'],
      ['/api/cohorts', 429, '30'],
    ]);
    expect((await catalog.fetch('/api/partners', { key: globalKey })).status).toBe(200);
    expect((await catalog.fetch('/api/cohorts?limit=10')).status).toBe(200);
    expect((await catalog.fetch('/api/dcat?limit=10')).status).toBe(200);
    expect((await catalog.fetch('/api/dcat', { method: 'HEAD' })).status).toBe(200);
    expect((await catalog.fetch('/api/datasets/RDC_1001', { key: globalKey })).status).toBe(200);
    slow.destroy();
    await until(async () => (await catalog.fetch('/api/dcat')).status === 200);
    await until(async () => (await catalog.fetch('/api/dcat')).status === 200);
  });

  it('should leave a connection to other requests when many lists are read with a key', async () => {
    const withKey = { 'X-API-Key': globalKey };
    for (let reader = 0; reader < 2; reader++) await leaveUnread('/api/datasets', withKey);
    const refused = await catalog.fetch('/api/projects', { key: globalKey });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    expect((await catalog.fetch('/api/datasets/RDC_1001', { key: globalKey })).status).toBe(200);
    expect((await catalog.fetch('/api/datasets?limit=10', { key: globalKey })).status).toBe(200);
    for (const each of unread) each.destroy();
    await until(async () => (await catalog.fetch('/api/projects', { key: globalKey })).status === 200);
  });

  it.each<
    [what: string, hold: (manager: EntityManager) => Promise<unknown>, path: string, bodies: string[], status: number]
  >([
    [
      'writes wait for a long one',
      acquireWritingLock,
      '/api/partners',
      [1, 2, 3, 4, 5].map((n) => JSON.stringify({ name: `P ${String(n)}` })),
      201,
    ],
    [
      'imports of terms wait for another',
      (manager) => manager.query(`SELECT pg_advisory_xact_lock(hashtext('terms/gene'))`),
      '/api/import/terms/gene',
      [1, 2, 3, 4, 5].map(() => 'id\tlabel\nG:1\tOne'),
      200,
    ],
  ])('should leave a connection to readers however many %s', async (_, hold, path, bodies, status) => {
    const long = catalog.dataSource.createQueryRunner();
    await long.startTransaction();
    await hold(long.manager);
    const waiting = bodies.map((body) => catalog.fetch(path, { method: 'POST', key: globalKey, body }));
    await untilBlocked(catalog);
    const record = await catalog.fetch('/api/datasets/RDC_1001', { key: globalKey, signal: AbortSignal.timeout(3000) });
    expect(record.status).toBe(200);
    await long.commitTransaction();
    await long.release();
    expect((await Promise.all(waiting)).map((answer) => answer.status)).toEqual(bodies.map(() => status));
  });

  it.each(['identity', 'gzip'])('should lose no permit when waiting clients disconnect, with %s', async (encoding) => {
    const headers = { 'X-API-Key': globalKey, 'Accept-Encoding': encoding };
    for (let round = 0; round < 3; round++) {
      for (let reader = 0; reader < 2; reader++) await leaveUnread('/api/datasets', headers);
      const waiting = [1, 2, 3].map(() => get(`${catalog.url}/api/datasets`, { headers }).on('error', () => undefined));
      await Promise.all(waiting.map((each) => once(each, 'finish')));
      await catalog.fetch('/api/datasets/RDC_1001', { key: globalKey }); // the service has received the earlier requests
      for (const each of waiting) each.destroy();
      for (const each of unread.splice(0)) each.destroy();
      await until(async () => (await catalog.fetch('/api/projects', { key: globalKey })).status === 200);
    }
    for (let reader = 0; reader < 2; reader++)
      expect((await leaveUnread('/api/datasets', headers)).statusCode).toBe(200);
  });

  it('should release a permit only once', async () => {
    const semaphore = new Semaphore(1, { ms: 1, timeoutError: () => new Error('no permit is free') });
    const leave = await semaphore.acquire();
    await expect(semaphore.acquire()).rejects.toThrow('no permit is free');
    leave();
    leave();
    await semaphore.acquire();
    await expect(semaphore.acquire()).rejects.toThrow('no permit is free');
  });

  it('should grant permits to waiting callers in order', async () => {
    const semaphore = new Semaphore(1, { ms: 10_000, timeoutError: () => new Error('no permit is free') });
    const leave = await semaphore.acquire();
    const acquired: number[] = [];
    const read = async (reader: number): Promise<void> => {
      const release = await semaphore.acquire();
      acquired.push(reader);
      release();
    };
    const readers = [1, 2, 3].map(read);
    leave();
    await Promise.all(readers);
    expect(acquired).toEqual([1, 2, 3]);
  });
});
