import { globalKey } from '../../../test/catalog.js';
import {
  sampleRecords,
  startWritableCatalog,
  type Answer,
  type Document,
  type WritableCatalog,
} from '../../../test/writing.js';

interface ItemProblem {
  readonly index: number;
  readonly field: string;
  readonly reason: string;
}

function itemProblems({ body }: Answer): ItemProblem[] {
  return (body['more'] as { items?: ItemProblem[] }).items ?? [];
}

describe('POST /api/import', () => {
  let catalog: WritableCatalog;

  beforeEach(async () => {
    catalog = await startWritableCatalog();
  });

  afterEach(() => catalog.stop());

  const report = (created: number, updated: number, unchanged: number): Document => ({
    status: 'Success',
    dry_run: false,
    items: created + updated + unchanged,
    created,
    updated,
    unchanged,
  });
  const partners = (count: number): Document[] =>
    Array.from({ length: count }, (_, index) => ({
      name: `Partner ${String(index)}`,
      external_id: `P-${String(index)}`,
    }));

  it('should create, update or keep each record and audit each change', async () => {
    const items = partners(600);
    expect((await catalog.send('POST', '/api/import/partners', { items })).body).toEqual(report(600, 0, 0));
    items[5] = { ...items[5], acronym: 'FIVE' };
    items.push({ name: 'Another' });
    const ndjson = items.map((item) => JSON.stringify(item)).join('\n');
    expect((await catalog.send('POST', '/api/import/partners', ndjson)).body).toEqual(report(1, 1, 599));
    const trail: unknown = await catalog.dataSource.query(
      `SELECT action, count(*)::integer AS count FROM audit_entries GROUP BY action ORDER BY action`,
    );
    expect(trail).toEqual([
      { action: 'create', count: 601 },
      { action: 'update', count: 1 },
    ]);
  });

  it('should keep the source of records when it imports the export of another catalog, and change nothing when repeated', async () => {
    const other = await startWritableCatalog({ SERVER_URL: 'https://elsewhere.example.org' });
    try {
      await other.fill(sampleRecords);
      for (const path of ['partners', 'projects', 'datasets']) {
        const { body } = await other.read(`/api/${path}`);
        const first = await catalog.send('POST', `/api/import/${path}?create_missing=true`, body);
        const count = ((body['items'] ?? body['results']) as unknown[]).length;
        expect(first.body).toMatchObject({ items: count, unchanged: 0 });
        const again = await catalog.send('POST', `/api/import/${path}`, body);
        expect(again.body).toEqual(report(0, 0, count));
        const { body: here } = await catalog.read(`/api/${path}`);
        const sources = ((here['items'] ?? here['results']) as Document[]).map(({ source }) => source);
        expect(sources).toContain('https://elsewhere.example.org');
      }
    } finally {
      await other.stop();
    }
  });

  it('should report the problems of all items with field and reason and write none', async () => {
    const items = [
      { name: 'Good' },
      { name: '' },
      { acronym: 5 },
      'text',
      { name: 'Good' },
      { name: 'Also good', country_code: 'lux', colour: 'red' },
    ];
    const answer = await catalog.send('POST', '/api/import/partners', { items });
    expect(answer.status).toBe(400);
    expect(itemProblems(answer)).toEqual([
      { index: 1, field: 'name', reason: 'must not be empty' },
      { index: 2, field: 'name', reason: 'is missing' },
      { index: 2, field: 'acronym', reason: 'must be text or null' },
      { index: 3, field: '', reason: 'must be a JSON object' },
      { index: 5, field: 'colour', reason: 'is not known here' },
      { index: 5, field: 'country_code', reason: expect.stringContaining('must be a country code') as string },
      { index: 4, field: 'name', reason: 'must be unique: item 0 also has "Good"' },
    ]);
    expect(await catalog.dataSource.query('SELECT FROM partners')).toEqual([]);
    expect(await catalog.dataSource.query('SELECT FROM audit_entries')).toEqual([]);
  });

  it('should write no item when items in several batches are invalid', async () => {
    const items = partners(700);
    items[3] = { ...items[3], is_clinical: 'x' };
    items[699] = { ...items[699], external_id: 'P-1' };
    const answer = await catalog.send('POST', '/api/import/partners', { items });
    expect(itemProblems(answer).map(({ index, field }) => [index, field])).toEqual([
      [3, 'is_clinical'],
      [699, 'external_id'],
    ]);
    expect(await catalog.dataSource.query('SELECT FROM partners')).toEqual([]);
  });

  it('should report the changes of a dry run and change nothing, not even the next accession', async () => {
    await catalog.send('POST', '/api/projects', { acronym: 'OLD', external_id: 'P-1' });
    const items = [
      { acronym: 'OLD', external_id: 'P-1', name: 'New name' },
      { acronym: 'NEW' },
      { acronym: 'BIG', external_id: 'RDC_900' },
    ];
    const before = await catalog.read('/api/projects');
    const dry = await catalog.send('POST', '/api/import/projects?dry_run=true', { items });
    expect(dry.body).toEqual({ status: 'Success', dry_run: true, items: 3, created: 2, updated: 1, unchanged: 0 });
    expect((await catalog.read('/api/projects')).headers.get('etag')).toBe(before.headers.get('etag'));
    const next = await catalog.send('POST', '/api/projects', { acronym: 'NEXT' });
    expect(next.body['external_id']).toBe('RDC_1');
  });

  it('should find a contract by name and project', async () => {
    const { body } = await catalog.send('POST', '/api/projects', { acronym: 'ALPHA' });
    const items = [{ name: 'One', project_id: Number(body['id_at_source']) }, { name: 'Two' }];
    expect((await catalog.send('POST', '/api/import/contracts', { items })).body).toEqual(report(2, 0, 0));
    expect((await catalog.send('POST', '/api/import/contracts', { items })).body).toEqual(report(0, 0, 2));
  });

  it.each(['', '[]', 'x', '{"items":5}', '{"items":[{}', '7', '{"items":[{"name":"a"},]}', '{"items":[,]}'])(
    'should answer 400 to the body %j',
    async (body) => {
      const answer = await catalog.send('POST', '/api/import/partners', body);
      expect([answer.status, answer.body['status']]).toEqual([400, 'Error']);
    },
  );

  it('should answer 404 to an unknown resource', async () => {
    expect((await catalog.send('POST', '/api/import/users', { items: [] })).status).toBe(404);
  });

  it('should answer 400 to an invalid value of dry_run', async () => {
    expect((await catalog.send('POST', '/api/import/partners?dry_run=1', { items: [] })).status).toBe(400);
  });

  it('should answer 405 to GET', async () => {
    expect((await catalog.send('GET', '/api/import/partners')).status).toBe(405);
  });

  it('should answer 403 to an unknown key', async () => {
    const headers = { 'X-API-Key': `${globalKey}x` };
    const answer = await catalog.fetch('/api/import/partners', { method: 'POST', body: 'x', headers });
    expect(answer.status).toBe(403);
  });
});
