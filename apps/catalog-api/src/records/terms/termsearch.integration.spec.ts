import { startCatalog, type RunningCatalog } from '../../../test/catalog.js';
import { TermsRepository } from './terms.repository.js';
import type { TermEntry } from './term-file.js';

interface Page {
  results: { id: number; text: string; term_id: string }[];
  pagination: { more: boolean; page: number; total: number };
}

interface Refusal {
  status: string;
  description: string;
  more: { code: string; fields?: { field: string; problem: string }[] };
}

const phenotypes: TermEntry[] = [
  { termId: 'HP:0001250', label: 'Seizure', synonyms: ['Epileptic seizure', 'Fit'] },
  { termId: 'HP:0002373', label: 'Febrile seizure', synonyms: [] },
  { termId: 'HP:0020219', label: 'Seizure precipitated by fever', synonyms: [] },
  { termId: 'HP:9000001', label: 'Épisode 100%_aura', synonyms: [`O'Brien's "sign"`, 'back\\slash'] },
];

describe('GET /api/termsearch/:category', () => {
  let catalog: RunningCatalog;

  beforeAll(async () => {
    catalog = await startCatalog();
    const terms = catalog.app.get(TermsRepository);
    await terms.replace('phenotype', [
      ...phenotypes,
      { termId: 'HP:0000003', label: 'Seizure, obsolete', synonyms: [] },
    ]);
    await terms.replace('phenotype', phenotypes);
    await terms.replace('gene', many('GENE', 60));
  });

  afterAll(() => catalog.stop());

  const ask = (category: string, query: Record<string, string>): Promise<Response> =>
    catalog.fetch(`/api/termsearch/${category}?${new URLSearchParams(query).toString()}`);

  const found = async (search: string): Promise<string[]> =>
    ((await (await ask('phenotype', { search, page: '1' })).json()) as Page).results.map((term) => term.term_id);

  it('should return the current terms of the category, best match first', async () => {
    const response = await ask('phenotype', { search: 'seizure', page: '1' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toEqual({
      results: [
        { id: expect.any(Number) as number, text: 'Seizure', term_id: 'HP:0001250' },
        { id: expect.any(Number) as number, text: 'Seizure precipitated by fever', term_id: 'HP:0020219' },
        { id: expect.any(Number) as number, text: 'Febrile seizure', term_id: 'HP:0002373' },
      ],
      pagination: { more: false, page: 1, total: 3 },
    });
  });

  it('should ignore case, accents and surplus spaces, and search synonyms and ids', async () => {
    expect(await found('  SEIZURE   precipitated ')).toEqual(['HP:0020219']);
    expect(await found('episode')).toEqual(['HP:9000001']);
    expect(await found('sëizure by')).toEqual([]);
    expect(await found('épileptic')).toEqual(['HP:0001250']);
    expect(await found('hp:0002373')).toEqual(['HP:0002373']);
    expect(await found('fi')).toEqual(['HP:0001250']);
  });

  it('should match wildcards and quotes literally', async () => {
    expect(await found('100%_a')).toEqual(['HP:9000001']);
    expect(await found('%')).toEqual(['HP:9000001']);
    expect(await found('s_izure')).toEqual([]);
    expect(await found(`o'brien's "sign"`)).toEqual(['HP:9000001']);
    expect(await found('back\\slash')).toEqual(['HP:9000001']);
    expect(await found(`'; DROP TABLE terms; --`)).toEqual([]);
    expect(await found('％')).toEqual(['HP:9000001']);
  });

  it('should return pages of 25 terms and refuse a page after the last', async () => {
    const pages = await Promise.all(
      ['1', '2', '3'].map(async (page) => (await ask('gene', { search: 'gene', page })).json()),
    );
    const sizes = (pages as Page[]).map(({ results, pagination }) => [
      results.length,
      pagination.more,
      pagination.total,
    ]);
    expect(sizes).toEqual([
      [25, true, 60],
      [25, true, 60],
      [10, false, 60],
    ]);
    expect(new Set((pages as Page[]).flatMap(({ results }) => results.map(({ id }) => id))).size).toBe(60);
    expect((await ask('gene', { search: 'gene', page: '4' })).status).toBe(400);
    expect((await ask('gene', { search: 'gene', page: '999999999' })).status).toBe(400);
    expect(await (await ask('gene', { search: 'nothing like it', page: '1' })).json()).toEqual({
      results: [],
      pagination: { more: false, page: 1, total: 0 },
    });
    expect((await ask('gene', { search: 'nothing like it', page: '2' })).status).toBe(400);
  });

  it.each([
    ['a missing search', 'page=1', 'search'],
    ['an empty search', 'search=&page=1', 'search'],
    ['a search of spaces', 'search=%20%20&page=1', 'search'],
    ['a repeated search', 'search=a&search=b&page=1', 'search'],
    ['a NUL in the search', 'search=a%00b&page=1', 'search'],
    ['a search of 10 kB', `search=${'x'.repeat(10_000)}&page=1`, 'search'],
    ['a missing page', 'search=a', 'page'],
    ['page 0', 'search=a&page=0', 'page'],
    ['a negative page', 'search=a&page=-1', 'page'],
    ['half a page', 'search=a&page=1.5', 'page'],
    ['a page in words', 'search=a&page=last', 'page'],
    ['a repeated page', 'search=a&page=1&page=2', 'page'],
    ['a page that is too large', 'search=a&page=99999999999999999999', 'page'],
  ])('should answer 400 with the name of the parameter to %s', async (_, query, field) => {
    const response = await catalog.fetch(`/api/termsearch/gene?${query}`);
    expect(response.status).toBe(400);
    const { status, more } = (await response.json()) as Refusal;
    expect(status).toBe('Error');
    expect([...new Set(more.fields?.map((each) => each.field))]).toEqual([field]);
  });

  it('should report one problem for each missing parameter', async () => {
    const { more } = (await (await catalog.fetch('/api/termsearch/gene')).json()) as Refusal;
    expect(more.fields).toEqual([
      { field: 'search', problem: 'must not be empty' },
      { field: 'page', problem: 'must be a whole number from 1' },
    ]);
  });

  it('should answer 404 for another category and 405 for another method', async () => {
    expect((await ask('planet', { search: 'mars', page: '1' })).status).toBe(404);
    expect((await ask('Gene', { search: 'gene', page: '1' })).status).toBe(404);
    const post = await catalog.fetch('/api/termsearch/gene?search=a&page=1', { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('should accept a request with an unknown key', async () => {
    const response = await catalog.fetch('/api/termsearch/gene?search=gene&page=1', { key: 'an-unknown-key' });
    expect(response.status).toBe(200);
  });

  it('should rank and count all matches of one letter', async () => {
    const page = (await (await ask('gene', { search: 'w', page: '3' })).json()) as Page;
    expect(page.pagination).toEqual({ more: false, page: 3, total: 60 });
    expect(page.results).toHaveLength(10);
  });

  it('should answer 304 when the caller has the page, whatever the key', async () => {
    const path = '/api/termsearch/gene?search=word&page=1';
    const { headers } = await catalog.fetch(path);
    expect([headers.get('cache-control'), headers.get('vary') ?? '']).toEqual([
      'no-cache',
      expect.not.stringContaining('X-API-Key'),
    ]);
    const again = { key: 'unknown', headers: { 'If-None-Match': headers.get('etag') ?? '' } };
    expect((await catalog.fetch(path, again)).status).toBe(304);
  });

  it('should use the trigram index when the search has three letters or more', async () => {
    await catalog.app.get(TermsRepository).replace('disease', many('DOID', 74_000));
    await catalog.dataSource.query('ANALYZE terms');
    const rows = await catalog.dataSource.query<{ 'QUERY PLAN': string }[]>(
      `EXPLAIN SELECT 1 FROM terms WHERE category = 'disease' AND NOT obsolete
          AND entries LIKE '%' || search_form('Word 73991') || '%'`,
    );
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('terms_search_idx');
    expect((await ask('disease', { search: 'Word 73991', page: '1' })).status).toBe(200);
  }, 60_000);
});

function many(prefix: string, count: number): TermEntry[] {
  return Array.from({ length: count }, (_, at) => ({
    termId: `${prefix}:${String(at).padStart(7, '0')}`,
    label: `${prefix.toLowerCase()} word ${String(at)}`,
    synonyms: at % 3 === 0 ? [`other name ${String(at * 7)}`] : [],
  }));
}
