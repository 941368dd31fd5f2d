import { keys, startSmallCatalog, type SmallCatalog } from './small-catalog.js';

const lists = ['projects', 'datasets', 'contracts', 'partners', 'cohorts'];

const writes = [
  ...lists.flatMap((list) => [
    ['POST', `/api/${list}`],
    ['PUT', `/api/${list}/1`],
    ['PATCH', `/api/${list}/1`],
    ['DELETE', `/api/${list}/1`],
  ]),
  ...['partners', 'cohorts'].flatMap((list) => [
    ['POST', `/api/${list}/1/publish`],
    ['POST', `/api/${list}/1/unpublish`],
  ]),
  ['POST', '/api/datasets/1/exposures'],
  ['POST', '/api/datasets/1/exposures/1/deprecate'],
] as [string, string][];

describe('who writes', () => {
  let catalog: SmallCatalog;

  beforeAll(async () => {
    catalog = await startSmallCatalog();
  });

  afterAll(() => catalog.stop());

  it.each(writes)('should be the global key alone among keys: %s %s', async (method, path) => {
    for (const key of [keys.steward, keys.legal, keys.ada, keys.first, keys.unknown, undefined]) {
      const answer = await catalog.fetch(path, { method, body: 'not even JSON', ...(key !== undefined && { key }) });
      expect([key, answer.status]).toEqual([key, 403]);
    }
    const allowed = await catalog.fetch(path, { method, body: 'not even JSON', key: keys.global });
    expect(allowed.status).not.toBe(403);
  });
});
