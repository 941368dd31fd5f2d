import { nextPage, TestSystem } from './support/system.js';

describe('the files of an import', () => {
  let system: TestSystem;
  let id = '';
  const paths = Array.from({ length: 5 }, (_, at) => `folder ${String(at)}/ä`);

  beforeAll(async () => {
    system = await TestSystem.create();
    await system.deliver('SUB-1', Object.fromEntries(paths.map((path) => [`DS-1/${path}`, path])));
    await system.startServer();
    await system.startWorker();
    id = (await system.post('/datasets/srcsys/import?wait=30', { dataset_id: 'DS-1' })).body.id;
  });

  afterAll(() => system.stop());

  it.each([1, 2, 5, 6])('should each be listed once when a page has %i files', async (limit) => {
    const listed: string[] = [];
    let pages = 0;
    let path: string | null = `/imports/${id}/files?limit=${String(limit)}`;
    while (path) {
      const { body, headers } = await system.get<'/imports/{id}/files'>(path as '/imports/{id}/files');
      listed.push(...body.items.map((item) => item.path));
      path = nextPage(headers);
      pages += 1;
    }
    expect(listed.sort()).toEqual(paths);
    expect(pages).toBe(Math.ceil(5 / limit));
  });

  it.each(['7', 'x', '1'.repeat(16)])('should be refused when the cursor %s is invalid', async (cursor) => {
    const answer = await system.get(`/imports/${id}/files?cursor=${cursor}`);
    expect(answer).toMatchObject({ status: 400, body: { more: { fields: [{ field: 'cursor' }] } } });
  });
});
