import { TestSystem } from './support/system.js';

describe('imports over HTTP', () => {
  let system: TestSystem;

  beforeAll(async () => {
    system = await TestSystem.create();
    await system.deliver('SUB-1', { 'DS-1/a': '12345', 'DS-2/b': '1', 'DS-3/c': '1' });
    await system.startServer();
    await system.startWorker();
  });

  afterAll(() => system.stop());

  it('should send state and progress as events until the import has ended', async () => {
    const { id } = (await system.post('/datasets/srcsys/import', { dataset_id: 'DS-3' })).body;
    const events = await system.get(`/imports/${id}/events`);
    expect(events.headers.get('content-type')).toContain('text/event-stream');
    expect(events.text.trim().split('\n\n').at(-1)).toContain('event: finished');
    const last = /^id: (.*)$/m.exec(events.text.slice(events.text.lastIndexOf('id: ')))?.[1] ?? '';
    expect((await system.get(`/imports/${id}/events`, { 'Last-Event-ID': last })).text).not.toContain('event:');
  });

  it('should list imports, newest first, and their files', async () => {
    for (const dataset_id of ['DS-1', 'DS-2']) await system.post('/datasets/srcsys/import?wait=20', { dataset_id });
    const { items } = (await system.get('/imports?state=finished&kind=dataset')).body;
    expect(items.map(({ id }) => id)).toEqual(
      items
        .map(({ id }) => id)
        .sort()
        .reverse(),
    );
    const page = await system.get('/imports?kind=dataset&limit=1&API_KEY=x');
    expect(page.headers.get('link')).toMatch(
      /^<http:\/\/127\.0\.0\.1:\d+\/imports\?kind=dataset&limit=1&cursor=[0-9A-Z]{26}>; rel="next", </,
    );
    const lines = await system.get('/imports?state=finished&kind=dataset', { Accept: 'application/x-ndjson' });
    expect(lines.headers.get('content-type')).toContain('application/x-ndjson');
    expect(lines.text).toBe(items.map((item) => `${JSON.stringify(item)}\n`).join(''));
    const first = (await system.get('/imports?subject=DS-1&limit=1')).body.items[0];
    const files = (await system.get(`/imports/${first?.id ?? ''}/files`)).body.items;
    expect(files).toMatchObject([{ path: 'a', state: 'finished', size: 5 }]);
  });
});
