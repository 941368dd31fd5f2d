import { join } from 'node:path';
import { provisioner } from './support/command-line.js';
import { removeTree } from '../src/storage/posix/remove-tree.js';
import { nextPage, TestSystem, type Answer } from './support/system.js';
import type { ProvisionerBody } from '../../../test/support/documented-body.ts';

const anyText = expect.any(String) as string;

describe('lists after the source was cleaned', () => {
  let system: TestSystem;

  beforeEach(async () => {
    system = await TestSystem.create();
    const described = { title: 'One', submitter: 'a@example.org', description: 'About' };
    await system.deliver('SUB-1', {
      ...{ 'submission.json': JSON.stringify(described), 'DS-1/a': '12345', 'DS-2/b': '1', 'DS-3/c': '1' },
    });
    await system.deliver('SUB-2', { 'DS-4/a': '1', 'DS-5/a': '1' });
    await system.startServer();
    await system.startWorker();
    const { body } = await system.importSubmission('SUB-1', 'all');
    await Promise.all([body.id, ...body.datasets.map(({ import_id }) => import_id)].map((id) => system.ended(id)));
    await system.ended((await system.post('/datasets/srcsys/import', { dataset_id: 'DS-4' })).body.id);
    await removeTree(join(system.source, 'SUB-1'));
    await removeTree(join(system.source, 'SUB-2/DS-4'));
  });

  afterEach(() => system.stop());

  const held = async (path: string): Promise<unknown[]> => {
    const { items } = (await system.get(path)).body as unknown as { items: Record<string, unknown>[] };
    return items.map(({ id, reference, held_in, state }) => [id ?? reference, held_in, state]);
  };

  it('should list imported datasets and submissions that only the storage contains', async () => {
    expect(await held('/datasets/srcsys')).toEqual([
      ['DS-1', 'storage', 'imported'],
      ['DS-2', 'storage', 'imported'],
      ['DS-3', 'storage', 'imported'],
      ['DS-4', 'storage', 'imported'],
      ['DS-5', 'source', 'not_imported'],
    ]);
    expect(await held('/submissions/srcsys')).toEqual([
      ['SUB-1', 'storage', 'imported'],
      ['SUB-2', 'source', 'not_imported'],
    ]);
  });

  it('should leave them out of the diff', async () => {
    expect(await held('/datasets/srcsys/diff?changed=true')).toEqual([['DS-5', 'source', 'not_imported']]);
    expect(await held('/submissions/srcsys/diff?incomplete=true')).toEqual([['SUB-2', 'source', 'not_imported']]);
  });

  it('should return them one by one with what their commit records state', async () => {
    expect((await system.get('/datasets/srcsys/DS-1')).body).toEqual({
      ...{ id: 'DS-1', submission: 'SUB-1', held_in: 'storage', title: null },
      ...{ files: 1, bytes: 5, modified_at: null, scanned_at: null, ready: true },
      ...{ declared_checksums: [], state: 'imported' },
      ...{ imported_at: anyText, path: 'data/raw/DS-1/', problems: [], warnings: [] },
      integrity: { files: 1, compared: 0, algorithms: [], not_compared: [] },
      import: { id: anyText, state: 'finished' },
    });
    expect((await system.get('/submissions/srcsys/SUB-1')).body).toEqual({
      ...{ reference: 'SUB-1', held_in: 'storage', title: 'One', submitter: 'a@example.org' },
      ...{ submitted_at: null, description: 'About', datasets: { total: 3, imported: 3 }, files: 4 },
      ...{ bytes: expect.any(Number) as number, modified_at: null, ready: true, state: 'imported' },
      ...{ imported_at: anyText, collection: 'data/projects/SUB-1/', missing_datasets: [] },
      ...{ problems: [], warnings: [], import: { id: anyText, state: 'finished' } },
    });
    expect((await system.get('/submissions/srcsys/SUB-2')).body.datasets).toEqual({ total: 2, imported: 1 });
    expect((await system.get('/datasets/srcsys/DS-9')).status).toBe(404);
    expect((await system.get('/submissions/srcsys/SUB-9')).status).toBe(404);
  });

  it('should filter and page over both systems', async () => {
    expect(await held('/datasets/srcsys?held_in=storage&submission=SUB-1')).toHaveLength(3);
    expect(await held('/datasets/srcsys?held_in=both')).toEqual([]);
    expect(await held('/submissions/srcsys?held_in=storage')).toEqual([['SUB-1', 'storage', 'imported']]);
    expect(await held('/submissions/srcsys?q=one')).toHaveLength(1);
    expect((await system.get('/datasets/srcsys?held_in=elsewhere')).status).toBe(400);
    expect((await system.get('/datasets/srcsys?submission=SUB-9')).status).toBe(404);
    const ids: string[] = [];
    for (let path: string | null = '/datasets/srcsys?limit=2'; path !== null;) {
      const { headers, body }: Answer<ProvisionerBody<'get', '/datasets/srcsys'>> = await system.get(
        path as '/datasets/srcsys',
      );
      expect(body.total).toBe(5);
      ids.push(...body.items.map(({ id }) => id));
      path = nextPage(headers);
    }
    expect(ids).toEqual(['DS-1', 'DS-2', 'DS-3', 'DS-4', 'DS-5']);
  });

  it('should answer 304 until the storage or the source changes', async () => {
    const path = '/datasets/srcsys?held_in=storage';
    const read = async (tag = ''): Promise<[number, string]> => {
      const { status, headers } = await system.get(path, { 'If-None-Match': tag });
      return [status, headers.get('etag') ?? ''];
    };
    const [, tag] = await read();
    expect((await read(tag))[0]).toBe(304);
    await provisioner(system.environment, 'withdraw', 'DS-3', '--reason', 'a test');
    expect((await read(tag))[0]).toBe(200);
    expect(await held(path)).not.toContainEqual(['DS-3', 'storage', 'imported']);
    expect((await system.get('/submissions/srcsys/SUB-1')).body.datasets).toEqual({ total: 2, imported: 2 });
  });

  it('should verify and show the manifest of a dataset that only the storage contains', async () => {
    const { status, body } = await system.post('/datasets/srcsys/DS-2/verify?wait=60');
    expect([status, body]).toMatchObject([200, { state: 'finished' }]);
    expect((await system.get('/datasets/srcsys/DS-2/manifest', { Accept: 'text/plain' })).text).toMatch(/ {2}b\n$/);
  });

  it('should state `both` again after the dataset was delivered again', async () => {
    await system.deliver('SUB-1', { 'DS-2/b': 'new' });
    expect(await held('/datasets/srcsys?submission=SUB-1')).toContainEqual(['DS-2', 'both', 'imported']);
    await system.post('/datasets/srcsys/import?dry_run=true&wait=60', { dataset_id: 'DS-2' });
    expect((await system.get('/datasets/srcsys/DS-2')).body).toMatchObject({ held_in: 'both', state: 'differs' });
  });

  it('should be printed by the command line', async () => {
    const { code, out } = await provisioner(system.environment, 'list', '--held-in', 'storage');
    expect(code).toBe(0);
    expect(out).toMatch(/^DS-1 +SUB-1 +imported +storage +yes +1 +5 B +- +-$/m);
    expect(out).not.toContain('DS-5');
  });
});
