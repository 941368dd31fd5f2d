import { readFileSync } from 'node:fs';
import {
  headFaults,
  operationsOf,
  queryOf,
  type OpenApiDocument,
  type WalkedOperation,
} from '../../../test/support/http-conformance.ts';
import { httpCall, type HttpCall } from '../../../test/support/http-call.ts';
import { globalKey } from './catalog.js';
import { isForSessionsOnly, sessionHeaders } from './session-caller.js';
import { sampleRecords, startWritableCatalog, type WritableCatalog } from './writing.js';

const description = JSON.parse(
  readFileSync(new URL('../../../docs/openapi/catalog-api.json', import.meta.url), 'utf8'),
) as OpenApiDocument;

const operations = operationsOf(description);

const portal = 'https://portal.example.org';

/** Addresses that the OpenAPI document does not list. */
const others = [
  ...['/', '/docs', '/docs/openapi.json', '/docs/nothing', '/console', '/console/datasets', '/sitemap.xml'],
  ...['/robots.txt', '/schemas/datasets.json', '/schemas/context.jsonld', '/schemas/nothing', '/api/nothing'],
  ...['/health/live', '/health/ready', '/metrics'],
];

const unlisted = others.map((path): Pick<WalkedOperation, 'path' | 'operation'> => ({ path, operation: {} }));

describe('HTTP', () => {
  let catalog: WritableCatalog;
  let port: number;
  let ids: Readonly<Record<string, string>>;

  beforeAll(async () => {
    catalog = await startWritableCatalog({
      RATE_LIMIT_FAILED_LOGINS: '0',
      ...{ ACCESSREQ_INTEGRATION_ENABLED: 'true', ACCESSREQ_ALLOWED_IP_ADDRESSES: '*' },
      CORS_ORIGINS: portal,
    });
    await catalog.fill(sampleRecords);
    port = Number(new URL(catalog.url).port);
    ids = await firstIds(catalog);
  });

  afterAll(() => catalog.stop());

  const addressOf = (path: string): string =>
    path
      .replace('{category}', 'gene')
      .replace('{resource}', 'projects')
      .replace(/\{\w+\}/g, () => ids[path.slice(0, path.indexOf('/{'))] ?? '1');

  /** The credentials of a request: a session for operations that no key may call, else the global key. */
  const callerOf = async (operation: WalkedOperation['operation']): Promise<HttpCall> =>
    isForSessionsOnly(operation) ? { headers: await sessionHeaders(catalog) } : { key: globalKey };

  describe('an unknown query parameter', () => {
    const call = async (
      { method, path, operation }: WalkedOperation,
      query: string,
      caller?: HttpCall,
    ): Promise<[number, string]> => {
      const { status, body } = await httpCall(port, method, `${addressOf(path)}${query}`, {
        ...(method !== 'GET' && { body: '{}' }),
        ...(caller ?? (await callerOf(operation))),
      });
      return [status, body];
    };

    it('should be refused by every operation that admits the caller, except the callback of an issuer', async () => {
      const taken: string[] = [];
      for (const each of operations) {
        const [status, body] = await call(each, '?update_sinc=1');
        const isNamed = status === 400 && body.includes('update_sinc is not a parameter here');
        if (!isNamed) taken.push(`${each.method} ${each.path}`);
      }
      expect(taken).toEqual(['GET /api/session/oidc/callback']);
    });

    it('should not be in the OpenAPI document', async () => {
      const refused: string[] = [];
      for (const each of operations) {
        const [, body] = await call(each, `?${queryOf(each.operation)}`);
        if (body.includes('is not a parameter here')) refused.push(`${each.method} ${each.path}: ${body}`);
      }
      expect(refused).toEqual([]);
    });

    it('should be ignored by every operation when its name begins with _', async () => {
      const refused: string[] = [];
      for (const each of operations.filter(({ method }) => method === 'GET' || method === 'POST')) {
        const [, body] = await call(each, '?_=1&_cache=2');
        if (body.includes('is not a parameter here')) refused.push(`${each.method} ${each.path}`);
      }
      expect(refused).toEqual([]);
    });

    it('should be checked after the key', async () => {
      const early: string[] = [];
      for (const each of operations) {
        const [right] = await call(each, '', {});
        const [wrong] = await call(each, '?update_sinc=1', {});
        if (right === 403 && wrong !== 403 && each.path !== '/api/session') early.push(`${each.method} ${each.path}`);
      }
      expect(early).toEqual([]);
    });

    it.each([
      ['/api/datasets?update_since=2026-01-01', 'did you mean updated_since?'],
      ['/api/datasets?acronym=X', 'the parameters are'],
      ['/api/dcat?page=2', 'the parameters are cursor, limit and updated_since'],
      ['/api/projects/1?fields=name', 'this address takes none'],
      ['/health/ready?verbose=1', 'this address takes none'],
      ['/schemas/datasets.json?v=1', 'this address takes none'],
    ])('should be refused with advice at %s', async (path, advice) => {
      const { status, body } = await httpCall(port, 'GET', path, { key: globalKey });
      expect([status, body]).toEqual([400, expect.stringContaining(advice)]);
    });
  });

  describe('HEAD', () => {
    const reads = operations.filter(({ method }) => method === 'GET');

    it('should have the headers of GET at every address', async () => {
      const faults: string[] = [];
      let found = 0;
      for (const { path, operation } of [...reads, ...unlisted]) {
        const takesLimit = (operation.parameters ?? []).some(({ name }) => name === 'limit');
        const address = addressOf(path) + (path.startsWith('/api/termsearch') ? '?page=1' : '');
        for (const encoding of ['identity', 'gzip, br']) {
          const sent = { 'X-API-Key': globalKey, 'Accept-Encoding': encoding, Origin: portal };
          // Each page has a new nonce, and each cursor of the change feed a new time, which changes the compressed length.
          // Each call changes the metrics.
          const isChanging = ['/metrics', '/api/changes'].includes(path) || path.startsWith('/console');
          const passing = ['content-security-policy', ...(isChanging ? ['content-length'] : [])];
          faults.push(...(await headFaults(port, address, sent, passing)));
          if (takesLimit) faults.push(...(await headFaults(port, `${address}?limit=1`, sent, passing)));
        }
        if ((await httpCall(port, 'HEAD', address, { key: globalKey })).status === 200) found++;
      }
      expect(faults).toEqual([]);
      expect(found).toBeGreaterThan(40);
    });

    it('should link to the next page', async () => {
      const { headers } = await httpCall(port, 'HEAD', '/api/datasets?limit=1', { key: globalKey });
      expect(headers['link']).toContain('rel="next"');
      expect(Number(headers['content-length'])).toBeGreaterThan(0);
      const whole = await httpCall(port, 'HEAD', '/api/datasets', { key: globalKey });
      expect(whole.headers['content-length']).toBeUndefined();
    });
  });

  describe('a path', () => {
    it.each(['/docs/json', '/docs/foo', '/docs-json', '/api/projects//', '/api/projects//x', '/api//projects'])(
      'should be unknown when no route matches: %s',
      async (path) => {
        for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
          const { status, headers } = await httpCall(port, method, path, { key: globalKey });
          expect([method, status, headers['allow']]).toEqual([method, 404, undefined]);
        }
      },
    );

    it('should be found when the base address ends with a slash', async () => {
      const [plain, doubled] = await Promise.all(
        ['/api/projects?limit=1', '//api/projects?limit=1'].map((path) =>
          httpCall(port, 'GET', path, { key: globalKey }),
        ),
      );
      expect([doubled?.status, doubled?.body, doubled?.headers['link']]).toEqual([
        200,
        plain?.body,
        plain?.headers['link'],
      ]);
    });

    it('should list the supported methods when the method is not supported', async () => {
      const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
      const false405: string[] = [];
      for (const path of new Set(operations.map((each) => each.path))) {
        const asked = methods.map(async (method) => {
          const { status, headers } = await httpCall(port, method, addressOf(path), { key: 'wrong' });
          return { method, status, allow: headers['allow'] };
        });
        const answers = await Promise.all(asked);
        const allowed = answers.filter(({ status }) => status !== 405).map(({ method }) => method);
        for (const { method, status, allow } of answers) {
          const isTrue = status !== 405 || allow === [...allowed].sort().join(', ');
          if (!isTrue) false405.push(`${method} ${path}: ${String(allow)}`);
        }
      }
      expect(false405).toEqual([]);
    });
  });

  describe('a page of another origin', () => {
    it.each([
      ...['/api/dcat', '/api/dcat/datasets/RDC_11', '/api/dcat/datasets/nothing', '/schemas/datasets.json'],
      ...['/schemas/context.jsonld', '/docs/openapi.json'],
    ])('should read %s from every origin', async (path) => {
      const headers = { Origin: 'https://elsewhere.example.org' };
      for (const method of ['GET', 'HEAD']) {
        expect((await httpCall(port, method, path, { headers })).headers['access-control-allow-origin']).toBe('*');
      }
      const ask = { ...headers, 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'accept' };
      expect((await httpCall(port, 'OPTIONS', path, { headers: ask })).status).toBe(204);
    });

    it('should read no other address unless its origin is listed', async () => {
      const open: string[] = [];
      for (const path of [...operations.map((each) => addressOf(each.path)), ...others]) {
        const isOpen = /^\/(api\/dcat|schemas|docs\/openapi\.json)/.test(path);
        const headers = { Origin: 'https://elsewhere.example.org', 'X-API-Key': globalKey };
        const { 'access-control-allow-origin': allowed, vary } = (await httpCall(port, 'GET', path, { headers }))
          .headers;
        if (!isOpen && (allowed !== undefined || !vary?.includes('Origin'))) open.push(path);
      }
      expect(open).toEqual([]);
    });
  });

  it.each([
    ['/api/datasets', 200],
    ['/api/datasets/nothing', 404],
    ['/api/users', 200],
  ])('should report the deprecation of a key in the query of %s', async (path, status) => {
    const query = `?API_KEY=${globalKey}`;
    const answer = await httpCall(port, 'GET', path + query);
    const deprecation = /^@\d+$/;
    expect([answer.status, answer.headers['deprecation']]).toEqual([status, expect.stringMatching(deprecation)]);
    const page = /<([^>]+)>; rel="deprecation"/.exec(String(answer.headers['link']))?.[1] ?? '';
    expect((await httpCall(port, 'GET', page)).status).toBe(200);
    const etag = answer.headers.etag;
    if (etag !== undefined) {
      const held = await httpCall(port, 'GET', path + query, { headers: { 'If-None-Match': etag } });
      expect([held.status, held.headers['deprecation']]).toEqual([304, expect.stringMatching(deprecation)]);
    }
  });

  it('should be 415 for a patch, multipart or XML at every operation that reads JSON', async () => {
    const taken: string[] = [];
    for (const { method, path, operation } of operations) {
      const takesJson = 'application/json' in (operation.requestBody?.content ?? {});
      const sent = { type: 'application/json-patch+json', body: '[{"op": "remove"}]', ...(await callerOf(operation)) };
      const { status } = await httpCall(port, method, addressOf(path), sent);
      if ((status === 415) !== takesJson) taken.push(`${method} ${path}: ${String(status)}`);
    }
    expect(taken).toEqual([]);
  });
});

/** Returns the id of the first record of each list by path, including the paths below `/api/dcat/`. */
async function firstIds(catalog: WritableCatalog): Promise<Record<string, string>> {
  const ids: Record<string, string> = {
    '/api/dcat/datasets': 'RDC_11',
    '/api/permissions': '5b0e6a52-7c1f-5d38-9a44-3f1d6c2b8e01',
  };
  for (const { path, method } of operations) {
    if (method !== 'GET' || path.includes('{') || path.startsWith('/api/session')) continue;
    const { body } = await catalog.read(path);
    const items = Object.values(body).find(Array.isArray) as readonly Record<string, unknown>[] | undefined;
    const first = items?.[0];
    const id = first?.['external_id'] ?? first?.['id_at_source'] ?? first?.['id'];
    if (typeof id === 'string' || typeof id === 'number') ids[path] ??= String(id);
  }
  return ids;
}
