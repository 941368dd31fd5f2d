import { TestSystem } from './support/system.js';

describe('where an answer leads', () => {
  it('should page through names as long as there are', async () => {
    const long = await TestSystem.create();
    const names = ['a'.repeat(255), 'b'.repeat(255)];
    await long.deliver('s'.repeat(255), Object.fromEntries(names.map((name) => [`${name}/file`, '1'])));
    await long.startServer();
    const first = await long.get('/datasets/srcsys?limit=1');
    const [, next = ''] = /<(.*)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? [];
    expect(await long.get(next)).toMatchObject({ status: 200, body: { items: [{ id: names[1] }] } });
    await long.stop();
  });

  it('should lead on below the base path', async () => {
    const based = await TestSystem.create({ BASE_PATH: '/rdc' });
    await based.deliver('SUB-1', { 'DS-1/a': '1', 'DS-2/a': '1' });
    await based.startServer();
    const list = await based.get('/rdc/datasets/srcsys?limit=1');
    expect(list.headers.get('link')).toMatch(/^<\/rdc\/datasets\/srcsys\?limit=1&cursor=/);
    const asked = await based.post('/rdc/datasets/srcsys/import', { dataset_id: 'DS-1' });
    const self = `/rdc/imports/${asked.body.id}`;
    expect(asked.headers.get('location')).toBe(self);
    expect(asked.body).toMatchObject({ links: { self, events: `${self}/events`, files: `${self}/files` } });
    expect((await based.get(self)).body).toEqual(asked.body);
    expect((await based.post('/rdc/datasets/srcsys/import', { dataset_id: 'DS-2' })).status).toBe(202);
    expect((await based.get('/rdc/imports?limit=1')).headers.get('link')).toMatch(/^<\/rdc\/imports\?limit=1&cursor=/);
    expect((await based.post('/rdc/imports/run')).headers.get('location')).toBe('/rdc/imports/schedule');
    await based.stop();
  });
});
