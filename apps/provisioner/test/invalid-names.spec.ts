import { TestSystem } from './support/system.js';

describe('a dataset or submission whose name is not a valid id', () => {
  let system: TestSystem;

  beforeAll(async () => {
    system = await TestSystem.create();
    await system.deliver('SUB-1', { 'a b/c': '1', 'DS-1/a': '1', 'DS-3/a': '1' });
    await system.deliver('SUB 2', { 'DS-2/a': '1', README: '1' });
    await system.deliver('SUB 3', { 'DS-3/a': '2' });
    await system.startServer();
  });

  afterAll(() => system.stop());

  it.each(['a b', 'DS-2'])('should be returned by itself as in the list: %s', async (id) => {
    const shown = await system.get(`/datasets/srcsys/${encodeURIComponent(id)}`);
    const listed = (await system.get('/datasets/srcsys')).body.items.find((item) => item.id === id);
    expect(shown).toMatchObject({ status: 200, body: { id, state: 'not_imported', problems: ['id.invalid'] } });
    expect(shown.body).toEqual(listed);
  });

  it('should be returned as a submission as in the list', async () => {
    const shown = await system.get('/submissions/srcsys/SUB%202');
    const listed = (await system.get('/submissions/srcsys')).body.items.find((item) => item.reference === 'SUB 2');
    expect(shown).toMatchObject({ status: 200, body: { reference: 'SUB 2', problems: ['id.invalid'] } });
    expect(shown.body).toEqual(listed);
  });

  it('should report a duplicate when another submission contains the dataset', async () => {
    const { items } = (await system.get('/datasets/srcsys?q=DS-3')).body;
    expect(items.map(({ problems }) => problems)).toEqual([['id.invalid', 'id.duplicate'], ['id.duplicate']]);
    const refused = await system.post('/datasets/srcsys/import', { dataset_id: 'DS-3' });
    expect(refused).toMatchObject({ status: 409, body: { more: { code: 'id.duplicate' } } });
    expect(refused.body.description).toContain('DS-3 occurs in the submissions SUB 3 and SUB-1');
  });

  it('should have no imports when the name is long', async () => {
    expect(await system.get(`/imports?subject=${'x'.repeat(255)}`)).toMatchObject({ status: 200, body: { items: [] } });
  });

  it.each([
    ['/datasets/srcsys/import', { dataset_id: 'a b' }, '"a b" is not a valid id'],
    ['/datasets/srcsys/import', { dataset_id: 'DS-2' }, '"SUB 2" is not a valid id'],
    ['/datasets/srcsys/import?dry_run=true', { dataset_id: 'DS-2' }, '"SUB 2" is not a valid id'],
    ['/submissions/srcsys/import', { reference: 'SUB 2' }, '"SUB 2" is not a valid id'],
    ['/submissions/srcsys/import', { reference: 'SUB 2', datasets: 'all' }, '"SUB 2" is not a valid id'],
  ])('should refuse an invalid name when it is requested by POST %s %j', async (path, body, sentence) => {
    const refused = await system.post(path, body);
    expect(refused).toMatchObject({ status: 409, body: { more: { code: 'id.invalid' } } });
    expect(refused.body.description).toContain(sentence);
  });
});
