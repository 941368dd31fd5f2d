import { readFileSync } from 'node:fs';
import { httpCall } from '../../../test/support/http-call.ts';
import {
  headFaults,
  operationsOf,
  queryOf,
  type OpenApiDocument,
  type WalkedOperation,
} from '../../../test/support/http-conformance.ts';
import { globalKey, TestSystem } from './support/system.js';

const operations = operationsOf(
  JSON.parse(
    readFileSync(new URL('../../../docs/openapi/provisioner.json', import.meta.url), 'utf8'),
  ) as OpenApiDocument,
);

const reads = operations.filter(({ method }) => method === 'GET');

/** Addresses that are not in the OpenAPI document. */
const others = [
  ...['/provisioner/docs', '/provisioner/docs/openapi.json', '/provisioner/docs/nothing', '/admin/queues'],
  ...['/nothing', '/datasets/srcsys/nothing', '/imports/nothing', '/health/live', '/health/ready', '/metrics'],
];

const unlisted = others.map((path): Pick<WalkedOperation, 'path' | 'operation'> => ({ path, operation: {} }));

const portal = 'https://portal.example.org';

describe('HTTP rules of the provisioner', () => {
  let system: TestSystem;
  let port: number;
  let importId: string;

  beforeAll(async () => {
    system = await TestSystem.create({ CORS_ORIGINS: portal });
    await system.deliver('SUB-1', { 'DS-1/a': '12345', 'DS-2/b': '1' });
    await system.startServer();
    await system.startWorker();
    const { body } = await system.post('/datasets/srcsys/import?wait=20', { dataset_id: 'DS-1' });
    importId = body.id;
    port = Number(new URL(system.url).port);
  });

  afterAll(() => system.stop());

  const addressOf = (path: string): string =>
    path
      .replace(/^\/imports\/\{id\}/, `/imports/${importId}`)
      .replace(/^\/submissions\/srcsys\/\{\w+\}/, '/submissions/srcsys/SUB-1')
      .replace(/\{\w+\}/g, 'DS-1');

  it('should refuse an unknown query parameter at every operation', async () => {
    const accepted: string[] = [];
    for (const { method, path } of operations) {
      const sent = { key: globalKey, ...(method !== 'GET' && { body: '{}' }) };
      const { status, body } = await httpCall(port, method, `${addressOf(path)}?limt=1`, sent);
      const isNamed = status === 400 && body.includes('limt is not a parameter here');
      if (!isNamed) accepted.push(`${method} ${path}: ${String(status)}`);
    }
    expect(accepted).toEqual([]);
  });

  it('should accept every query parameter in the OpenAPI document', async () => {
    const refused: string[] = [];
    for (const { method, path, operation } of operations) {
      const sent = { key: globalKey, ...(method !== 'GET' && { body: '{}' }) };
      const { body } = await httpCall(port, method, `${addressOf(path)}?${queryOf(operation)}`, sent);
      if (body.includes('is not a parameter here')) refused.push(`${method} ${path}: ${body}`);
    }
    expect(refused).toEqual([]);
  });

  it('should ignore query parameters whose names begin with _ at every GET operation', async () => {
    const refused: string[] = [];
    for (const { path } of reads) {
      const { status, body } = await httpCall(port, 'GET', `${addressOf(path)}?_=1&_cache=2`, { key: globalKey });
      // The import was not rejected, so it has no report.
      const isAccepted = status === 200 || (path.endsWith('/report') && body.includes('"record.unknown"'));
      if (!isAccepted) refused.push(`${path}: ${String(status)}`);
    }
    expect(refused).toEqual([]);
  });

  it('should refuse a caller without a key before it validates the query', async () => {
    const early: string[] = [];
    for (const { method, path } of operations) {
      const { status } = await httpCall(port, method, `${addressOf(path)}?limt=1`);
      if (status !== 403) early.push(`${method} ${path}: ${String(status)}`);
    }
    expect(early).toEqual([]);
  });

  it('should answer HEAD with the headers of GET at every address', async () => {
    const faults: string[] = [];
    for (const { path, operation } of [...reads, ...unlisted]) {
      const takesLimit = (operation.parameters ?? []).some(({ name }) => name === 'limit');
      for (const accept of ['*/*', 'application/x-ndjson', 'text/plain']) {
        const sent = { 'X-API-Key': globalKey, Accept: accept, Origin: portal };
        const ignored = path === '/metrics' || path === '/imports/storage' ? ['content-length'] : [];
        faults.push(...(await headFaults(port, addressOf(path), sent, ignored)));
        if (takesLimit) faults.push(...(await headFaults(port, `${addressOf(path)}?limit=1`, sent, ignored)));
      }
    }
    expect(faults).toEqual([]);
  });

  it.each(['/provisioner/docs/json', '/datasets/srcsys//', '/datasets//srcsys', '/imports//files', '/nothing'])(
    'should answer 404 without Allow at %s',
    async (path) => {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
        const { status, headers } = await httpCall(port, method, path, { key: globalKey });
        expect([method, status, headers['allow']]).toEqual([method, 404, undefined]);
      }
    },
  );

  it('should accept a path with two leading slashes and link to the path with one', async () => {
    const { status, headers } = await httpCall(port, 'GET', '//datasets/srcsys?limit=1', { key: globalKey });
    expect([status, headers['link']]).toEqual([
      200,
      expect.stringMatching(/^<http:\/\/[^/]+\/datasets\/srcsys\?limit=1&cursor=/),
    ]);
  });

  it.each([
    ['application/x-ndjson', 'application/x-ndjson'],
    ['application/x-ndjson;q=0, */*', 'application/json'],
    ['application/json, application/x-ndjson;q=0.5', 'application/json'],
    ['application/x-ndjson;q=0.9, application/json;q=0.1', 'application/x-ndjson'],
    ['text/html', 'application/json'],
  ])('should answer a list to Accept: %s as %s', async (accept, type) => {
    for (const path of ['/datasets/srcsys', '/imports', `/imports/${importId}/files`]) {
      const { headers } = await httpCall(port, 'GET', path, { key: globalKey, headers: { Accept: accept } });
      expect(headers['content-type']).toBe(`${type}; charset=utf-8`);
    }
  });

  it.each([
    ['text/plain', 'text/plain'],
    ['text/plain;q=0, */*', 'application/x-ndjson'],
    ['application/x-ndjson, text/plain;q=0.5', 'application/x-ndjson'],
    ['*/*', 'application/x-ndjson'],
  ])('should answer a manifest to Accept: %s as %s, without caching', async (accept, type) => {
    const { headers } = await httpCall(port, 'GET', '/datasets/srcsys/DS-1/manifest', {
      key: globalKey,
      headers: { Accept: accept },
    });
    expect(headers).toMatchObject({ 'content-type': `${type}; charset=utf-8`, 'cache-control': 'private, no-cache' });
    expect(headers['vary']).toBe('X-API-Key, Accept, Origin');
  });

  it('should allow every origin to read the OpenAPI document, and no other address', async () => {
    const headers = { Origin: 'https://elsewhere.example.org' };
    const open = async (path: string): Promise<unknown> =>
      (await httpCall(port, 'GET', path, { headers, key: globalKey })).headers['access-control-allow-origin'];
    expect(await open('/provisioner/docs/openapi.json')).toBe('*');
    for (const path of [...reads.map((each) => addressOf(each.path)), '/provisioner/docs', '/nothing'])
      expect([path, await open(path)]).toEqual([path, undefined]);
  });

  it('should link to the documentation of the deprecation when the key is in the query', async () => {
    const { status, headers } = await httpCall(port, 'GET', `/imports?API_KEY=${encodeURIComponent(globalKey)}`);
    expect([status, headers['deprecation']]).toEqual([200, expect.stringMatching(/^@\d+$/)]);
    const page = /<([^>]+)>; rel="deprecation"/.exec(String(headers['link']))?.[1] ?? '';
    expect((await httpCall(port, 'GET', page)).status).toBe(200);
  });
});
