import { scopes } from '@rdc/auth';
import { join } from 'node:path';
import { removeTree } from '../src/storage/posix/remove-tree.js';
import { startIntrospectingCatalog, type IntrospectingCatalog } from './support/introspecting-catalog.js';
import { TestSystem } from './support/system.js';

const secret = 'the session secret that the catalog has too';

const keyOf = (seed: string): string => `rdcs_${seed.repeat(48).slice(0, 48)}`;

interface Operation {
  readonly 'x-callers'?: readonly string[];
}

describe('requests with a service key', () => {
  let catalog: IntrospectingCatalog;
  let system: TestSystem;

  beforeEach(async () => {
    catalog = await startIntrospectingCatalog(secret);
    system = await TestSystem.create(catalog.settings);
    await system.deliver('SUB-1', { 'DS-1/a.txt': 'a', 'DS-1/.ready': '' });
    await system.deliver('OTHER-1', { 'DS-2/a.txt': 'a', 'DS-2/.ready': '' });
    await system.startServer();
    await system.startWorker();
  });
  afterEach(async () => {
    await system.stop();
    await catalog.stop();
  });

  const give = (seed: string, members: object): string => {
    catalog.serviceKeys.set(keyOf(seed), { key_id: '1', name: `key-${seed}`, ...members });
    return keyOf(seed);
  };
  const get = <Path extends string>(path: Path, key: string) => system.get(path, { 'X-API-Key': key });
  const post = <Path extends string>(path: Path, body: object, key: string) =>
    system.post(path, body, { 'X-API-Key': key });

  it('should admit a key to an operation only with a scope that the operation declares', async () => {
    const { paths } = (await (await fetch(`${system.url}/provisioner/docs/openapi.json`)).json()) as {
      paths: Record<string, Record<string, Operation>>;
    };
    const wrong: string[] = [];
    let count = 0;
    for (const [seed, scope] of scopes.entries()) {
      const key = give(String.fromCharCode(97 + seed), { scopes: [scope] });
      for (const [path, item] of Object.entries(paths)) {
        for (const [method, { 'x-callers': callers = [] }] of Object.entries(item)) {
          count += 1;
          const declared = scopes.filter((each) => callers.includes(`scope:${each}`));
          const body = method === 'get' ? undefined : { wrong: true };
          const answer = await system.call(
            method.toUpperCase(),
            path.replace(/\{\w+\}/, 'none').replace(/run$/, 'run?dry_run=true'),
            body,
            {
              'X-API-Key': key,
            },
          );
          const isRefused = answer.status === 403 && answer.body.more.code === 'access.denied';
          if (isRefused === declared.includes(scope))
            wrong.push(`${scope}: ${method} ${path} ${String(answer.status)}`);
          if (isRefused && !declared.every((each) => answer.body.description?.includes(each))) wrong.push(path);
        }
      }
    }
    expect(count).toBeGreaterThan(250);
    expect(wrong).toEqual([]);
  });

  it('should answer 404 for other submissions when the key is limited to submissions', async () => {
    const key = give('L', { scopes: ['imports:read', 'imports:write'], submissions: ['SUB-'] });
    expect((await get('/submissions/srcsys', key)).body.items).toMatchObject([{ reference: 'SUB-1' }]);
    expect((await get('/datasets/srcsys', key)).body.items).toMatchObject([{ id: 'DS-1' }]);
    expect((await get('/datasets/srcsys/diff', key)).body.items).toMatchObject([{ id: 'DS-1' }]);
    const told = async (answer: Promise<{ status: number; text: string }>, name: string): Promise<[number, string]> => {
      const { status, text } = await answer;
      return [status, text.replace(/"request_id":"[^"]*"/, '').replaceAll(name, 'NAME')];
    };
    const hidden = { dataset: 'DS-2', submission: 'OTHER-1' };
    const absent = { dataset: 'DS-9', submission: 'OTHER-9' };
    const answers = async ({ dataset, submission }: typeof hidden): Promise<unknown[]> => [
      await told(get(`/submissions/srcsys/${submission}`, key), submission),
      await told(get(`/datasets/srcsys/${dataset}`, key), dataset),
      await told(get(`/datasets/srcsys/${dataset}/manifest`, key), dataset),
      await told(get(`/datasets/srcsys?submission=${submission}`, key), submission),
      await told(post('/submissions/srcsys/import', { reference: submission }, key), submission),
      await told(post('/submissions/srcsys/import', { reference: submission, datasets: [dataset] }, key), submission),
      await told(post('/datasets/srcsys/import?dry_run=true', { dataset_id: dataset }, key), dataset),
      await told(post('/datasets/srcsys/import', { dataset_id: dataset }, key), dataset),
      await told(post(`/datasets/srcsys/${dataset}/verify`, {}, key), dataset),
    ];
    const toldOfHidden = await answers(hidden);
    expect(toldOfHidden).toEqual(await answers(absent));
    expect(toldOfHidden.map((each) => (each as [number])[0])).toEqual(Array(9).fill(404));
    for (const path of ['/imports/run', '/imports/run?dry_run=true'])
      expect((await post(path, {}, key)).status).toBe(403);
    expect((await get('/imports/schedule', key)).status).toBe(403);
  });

  it('should record the key in its imports, and hide imports of other submissions from a limited key', async () => {
    const key = give('L', { scopes: ['imports:read', 'imports:write'], submissions: ['SUB-'] });
    const { body: foreign } = await system.post('/datasets/srcsys/import', { dataset_id: 'DS-2' });
    const { status, body: own } = await post('/datasets/srcsys/import', { dataset_id: 'DS-1' }, key);
    expect([status, own]).toMatchObject([202, { requested_by: 'service:key-L' }]);
    await Promise.all([foreign.id, own.id].map((id) => system.ended(id)));
    expect((await get('/imports', key)).body.items.map(({ id }) => id)).toEqual([own.id]);
    for (const [path, method] of [
      ['', 'GET'],
      ['/files', 'GET'],
      ['/events', 'GET'],
      ['/cancel', 'POST'],
      ['/retry', 'POST'],
    ] as const) {
      const answer = await system.call(method, `/imports/${foreign.id}${path}`, undefined, { 'X-API-Key': key });
      expect([path, answer.status]).toEqual([path, 404]);
    }
    expect((await get(`/imports/${own.id}`, key)).status).toBe(200);
  });

  it('should list for a limited key the imported datasets of its submissions when the source was cleaned', async () => {
    for (const [submission, dataset_id] of [
      ['SUB-7', 'DS-7'],
      ['OTHER-8', 'DS-8'],
    ] as const) {
      await system.deliver(submission, { [`${dataset_id}/a`]: 'a', [`${dataset_id}/.ready`]: '' });
      await system.ended((await system.post('/datasets/srcsys/import', { dataset_id })).body.id);
      await removeTree(join(system.source, submission));
    }
    const key = give('L', { scopes: ['imports:read'], submissions: ['SUB-'] });
    const { items, total } = (await get('/datasets/srcsys?held_in=storage', key)).body;
    expect([items.map(({ id }) => id), total]).toEqual([['DS-7'], 1]);
    expect((await get('/datasets/srcsys/DS-7', key)).body).toMatchObject({ submission: 'SUB-7', held_in: 'storage' });
    expect((await get('/datasets/srcsys/DS-8', key)).status).toBe(404);
    expect((await get('/datasets/srcsys?submission=OTHER-8', key)).status).toBe(404);
  });

  it('should refuse a revoked key immediately for writes and within five seconds for reads', async () => {
    const key = give('R', { scopes: ['imports:read', 'imports:write'] });
    expect((await get('/imports', key)).status).toBe(200);
    catalog.serviceKeys.delete(key);
    const asked = catalog.introspectedTokens.length;
    expect((await get('/imports', key)).status).toBe(200);
    expect(catalog.introspectedTokens).toHaveLength(asked);
    expect((await post('/imports/run?dry_run=true', {}, key)).status).toBe(403);
    expect((await get('/imports', key)).status).toBe(403);
  });

  it('should refuse keys of another form without a call to the catalog', async () => {
    const asked = catalog.introspectedTokens.length;
    for (const key of ['wrong', `${keyOf('x')}y`, 'x'.repeat(64)])
      expect((await get('/imports', key)).status).toBe(403);
    expect(catalog.introspectedTokens).toHaveLength(asked);
  });

  it('should answer 503 to service keys and accept the global key when the catalog is down', async () => {
    const away = await startIntrospectingCatalog(secret);
    const apart = await TestSystem.create(away.settings);
    await apart.startServer();
    await away.stop();
    const key = { 'X-API-Key': keyOf('D') };
    expect((await apart.post('/imports/run?dry_run=true', {}, key)).status).toBe(503);
    expect((await apart.get('/imports', key)).status).toBe(503);
    expect((await apart.post('/imports/run?dry_run=true', {})).status).toBe(200);
    await apart.stop();
  });

  it('should answer introspection.off to service keys when CATALOG_URL is not set', async () => {
    const apart = await TestSystem.create();
    await apart.startServer();
    const { status, body } = await apart.get('/imports', { 'X-API-Key': keyOf('x') });
    expect([status, body.more.code]).toEqual([403, 'introspection.off']);
    expect(body.description).toContain('set CATALOG_URL');
    await apart.stop();
  });
});
