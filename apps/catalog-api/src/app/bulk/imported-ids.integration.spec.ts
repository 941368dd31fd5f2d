import { startWritableCatalog, type Document, type WritableCatalog } from '../../../test/writing.js';

const source = 'https://daisy.example.org';

describe('an import of records with ids of another catalog', () => {
  let catalog: WritableCatalog;

  beforeEach(async () => {
    catalog = await startWritableCatalog();
  });

  afterEach(() => catalog.stop());

  const importItems = async (list: string, items: readonly object[]): Promise<Document> =>
    (await catalog.send('POST', `/api/import/${list}`, { items })).body;

  /** Returns source and id of each record of a list, by name. */
  async function pairs(list: string): Promise<Record<string, unknown[]>> {
    const { body } = await catalog.read(`/api/${list}?limit=1000`);
    const items = (body['items'] ?? body['results']) as Document[];
    return Object.fromEntries(
      items.map((item) => [String(item['name']), [item['source'], item['id_at_source'] ?? item['id']]]),
    );
  }

  const partner = (name: string, id: number | string): object => ({ name, source, id_at_source: String(id) });

  it('should keep source and id together when the id is free, and change nothing in a second run', async () => {
    const items = [partner('Twelve', 12), partner('Three', 3)];
    expect(await importItems('partners', items)).toMatchObject({ created: 2 });
    expect(await pairs('partners')).toEqual({ Twelve: [source, '12'], Three: [source, '3'] });
    expect(await importItems('partners', items)).toMatchObject({ created: 0, unchanged: 2 });
    const [{ entries }] = await catalog.dataSource.query<[{ entries: number }]>(
      'SELECT count(*)::integer AS entries FROM audit_entries',
    );
    expect(entries).toBe(2);
  });

  it('should keep the id of projects, datasets, cohorts and contracts', async () => {
    await importItems('projects', [{ acronym: 'P', name: 'Project', source, id_at_source: '41' }]);
    await importItems('datasets', [{ name: 'Dataset', project: 'P', source, id_at_source: '42' }]);
    await importItems('cohorts', [{ name: 'Cohort', source, id_at_source: '43' }]);
    await importItems('contracts', [{ name: 'Contract', project_id: 41, source, id: 44 }]);
    expect(await pairs('projects')).toEqual({ Project: [source, '41'] });
    expect(await pairs('datasets')).toEqual({ Dataset: [source, '42'] });
    expect((await catalog.read('/api/cohorts/43')).body).toMatchObject({ name: 'Cohort', source });
    expect((await catalog.read('/api/contracts/44')).body).toMatchObject({ name: 'Contract', source, project_id: 41 });
    expect(Object.keys(await pairs('datasets'))).toEqual(['Dataset']);
  });

  it.each([
    ['taken', '1'],
    ['above one billion', '1000000001'],
    ['no number', 'one'],
    ['zero', '0'],
  ])('should use source and id of this catalog when the id is %s', async (_, id) => {
    await catalog.send('POST', '/api/partners', { name: 'Ours' });
    await importItems('partners', [partner('Imported', id)]);
    expect(await pairs('partners')).toEqual({
      Ours: ['https://catalog.example.org', '1'],
      Imported: ['https://catalog.example.org', '2'],
    });
  });

  it('should give the id once when two items have it', async () => {
    await importItems('partners', [partner('First', 7), partner('Second', 7)]);
    const { First: first, Second: second } = await pairs('partners');
    expect(first).toEqual([source, '7']);
    expect(second?.[0]).toBe('https://catalog.example.org');
    expect(second?.[1]).not.toBe('7');
  });

  it('should create records after the highest kept id, also within the same import', async () => {
    await importItems('partners', [
      partner('One', 1),
      { name: 'Without id' },
      partner('Two', 2),
      partner('Nine hundred', 900),
    ]);
    const { 'Without id': within } = await pairs('partners');
    expect(Number(within?.[1])).toBeGreaterThan(900);
    for (let at = 0; at < 3; at++) {
      const { status } = await catalog.send('POST', '/api/partners', { name: `Later ${String(at)}` });
      expect(status).toBe(201);
    }
    const ids = Object.values(await pairs('partners')).map(([, id]) => id);
    expect(new Set(ids).size).toBe(7);
  });
});
