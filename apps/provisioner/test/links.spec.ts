import { nextPage, TestSystem } from './support/system.js';

describe('addresses in responses', () => {
  it('should link to the next page when names have the maximum length', async () => {
    const long = await TestSystem.create();
    const names = ['a'.repeat(255), 'b'.repeat(255)];
    await long.deliver('s'.repeat(255), Object.fromEntries(names.map((name) => [`${name}/file`, '1'])));
    await long.startServer();
    const first = await long.get('/datasets/srcsys?limit=1');
    expect(await long.get(nextPage(first.headers) ?? '')).toMatchObject({
      status: 200,
      body: { items: [{ id: names[1] }] },
    });
    await long.stop();
  });

  it('should contain the base path in all links and locations', async () => {
    const based = await TestSystem.create({ BASE_PATH: '/rdc' });
    await based.deliver('SUB-1', { 'DS-1/a': '1', 'DS-2/a': '1' });
    await based.startServer();
    const list = await based.get('/rdc/datasets/srcsys?limit=1');
    expect(list.headers.get('link')).toContain(`<${based.url}/rdc/datasets/srcsys?limit=1&cursor=`);
    const imported = await based.post('/rdc/datasets/srcsys/import', { dataset_id: 'DS-1' });
    const self = `/rdc/imports/${imported.body.id}`;
    expect(imported.headers.get('location')).toBe(self);
    expect(imported.body).toMatchObject({ links: { self, events: `${self}/events`, files: `${self}/files` } });
    expect((await based.get(self)).body).toEqual(imported.body);
    expect((await based.post('/rdc/datasets/srcsys/import', { dataset_id: 'DS-2' })).status).toBe(202);
    expect((await based.get('/rdc/imports?limit=1')).headers.get('link')).toContain(
      `<${based.url}/rdc/imports?limit=1&cursor=`,
    );
    expect((await based.post('/rdc/imports/run')).headers.get('location')).toBe('/rdc/imports/schedule');
    await based.stop();
  });
});
