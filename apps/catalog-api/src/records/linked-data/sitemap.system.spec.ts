import { jest } from '@jest/globals';
import { Client } from 'pg';
import { startCatalog, type RunningCatalog } from '../../../test/catalog.js';
import { SitemapService } from './sitemap.service.js';

const base = 'https://catalog.example.org/';

/** The number of public datasets, one more than a file of the sitemap may contain. */
const count = 50_000;

const fillingTakesAtMostMs = 120_000;

const many = `
  INSERT INTO endpoints (id, name, public) VALUES (1, 'Portal', true);
  INSERT INTO datasets (id, external_id, uuid, name, created_at)
    SELECT n, 'RDC_' || n, gen_random_uuid(), 'Dataset ' || n, now() + n * interval '1 ms'
      FROM generate_series(1, ${String(count)}) AS n;
  INSERT INTO dataset_documents (id, created_at, body, storages, public_storages, linked)
    SELECT id, created_at, '', '', '', '"@id":"api/dcat/datasets/' || external_id || '"'
      FROM datasets;
  INSERT INTO exposures (dataset_id, endpoint_id, form_id) SELECT id, 1, 1 FROM datasets;
  INSERT INTO view_records (list, record_id, view, digest, seen_since, changed_at)
    SELECT 'datasets', id, 'anonymous', gen_random_uuid(), '2025-01-01', '2025-02-03T04:05:06Z' FROM datasets;
  INSERT INTO view_versions (view, list, version) VALUES ('anonymous', 'datasets', gen_random_uuid());
  ANALYZE`;

describe(SitemapService.name, () => {
  let catalog: RunningCatalog;

  beforeAll(async () => {
    catalog = await startCatalog();
    await catalog.dataSource.query(many);
  }, fillingTakesAtMostMs);

  afterAll(() => catalog.stop());

  const read = async (path: string, from = catalog): Promise<string> => {
    const answer = await from.fetch(path);
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
      path,
      200,
      'application/xml; charset=utf-8',
    ]);
    return answer.text();
  };
  const locationsIn = (xml: string): string[] => [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc = '']) => loc);

  it('should contain only the catalog when nothing is public', async () => {
    const empty = await startCatalog();
    const xml = await read('/sitemap.xml', empty);
    expect(xml).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<urlset xmlns="[^"]+">/);
    expect(xml).toMatch(/<\/urlset>\n$/);
    expect(locationsIn(xml)).toEqual([`${base}api/dcat`]);
    expect((await empty.fetch('/sitemap.xml?file=2')).status).toBe(404);
    await empty.stop();
  });

  it('should return an index of files of at most 50,000 addresses when there are more', async () => {
    const index = await read('/sitemap.xml');
    expect(index).toContain('<sitemapindex');
    expect(locationsIn(index)).toEqual([`${base}sitemap.xml?file=1`, `${base}sitemap.xml?file=2`]);
    const [first, second] = [await read('/sitemap.xml?file=1'), await read('/sitemap.xml?file=2')];
    expect(locationsIn(first)).toHaveLength(count);
    expect(first).toContain('/RDC_1</loc><lastmod>2025-02-03T04:05:06.000Z</lastmod></url>');
    expect(locationsIn(second)).toEqual([`${base}api/dcat`, `${base}api/dcat/datasets/RDC_${String(count)}`]);
    expect((await catalog.fetch('/sitemap.xml?file=3')).status).toBe(404);
  });

  it('should count the datasets again only when the list has changed', async () => {
    await read('/sitemap.xml');
    const query = jest.spyOn(Client.prototype, 'query');
    const countings = (): number =>
      query.mock.calls.filter(([statement]) =>
        String((statement as { text?: unknown }).text).startsWith('SELECT count'),
      ).length;
    await read('/sitemap.xml');
    expect(countings()).toBe(0);
    await catalog.dataSource.query('UPDATE view_versions SET version = gen_random_uuid()');
    await Promise.all([read('/sitemap.xml'), read('/sitemap.xml?file=2')]);
    expect(countings()).toBe(1);
    query.mockRestore();
  });

  it.each(['0', '01', 'x', '-1', '', '1&file=2'])('should refuse the file %s', async (file) => {
    expect((await catalog.fetch(`/sitemap.xml?file=${file}`)).status).toBe(400);
  });

  it('should be linked in robots.txt', async () => {
    const answer = await catalog.fetch('/robots.txt');
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const lines = (await answer.text()).split('\n');
    expect(lines).toEqual(expect.arrayContaining(['Allow: /api/dcat', `Sitemap: ${base}sitemap.xml`]));
  });
});
