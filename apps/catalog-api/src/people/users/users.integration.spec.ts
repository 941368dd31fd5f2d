import { globalKey, startCatalog, type RunningCatalog } from '../../../test/catalog.js';
import { keyHasherOf } from '../keys/keys.module.js';
import { catalogSettings } from '../../app/catalog.settings.js';
import { SecretsSettings } from '../../platform/secrets/secrets.settings.js';

describe('GET /api/users', () => {
  let catalog: RunningCatalog;

  beforeAll(async () => {
    catalog = await startCatalog();
    const hasher = keyHasherOf(catalogSettings(catalog.environment).get(SecretsSettings));
    await catalog.dataSource.query(
      `INSERT INTO users (id, first_name, last_name, email, active, technical, roles, key_hash) VALUES
         (1, 'Zoe', 'adams', NULL, true, false, '{}', NULL), (2, 'Ann', 'Brown', NULL, true, false, '{admin}', $1),
         (3, 'Abe', 'Adams', NULL, true, false, '{}', NULL), (4, 'Left', 'Us', NULL, false, false, '{}', NULL),
         (5, 'Pipe', 'Line', NULL, true, true, '{}', NULL), (6, '', '', 'mail@example.org', true, false, '{}', NULL)`,
      [hasher.hash('admin-key')],
    );
  });

  afterAll(() => catalog.stop());

  it('should list active people by last and first name, without technical accounts', async () => {
    const response = await catalog.fetch('/api/users', { key: globalKey });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      results: [
        { id: 6, text: 'mail@example.org' },
        { id: 3, text: 'Abe Adams' },
        { id: 1, text: 'Zoe adams' },
        { id: 2, text: 'Ann Brown' },
      ],
    });
  });

  it('should page through the same people', async () => {
    const [first, second] = await pages('/api/users?limit=3');
    expect([first, second]).toEqual([[6, 3, 1], [2]]);
  });

  it('should answer 304 until the list changes, also after the use of a key', async () => {
    const answer = async (etag = ''): Promise<Response> =>
      catalog.fetch('/api/users', { key: globalKey, headers: { 'If-None-Match': etag } });
    const first = await answer();
    const etag = first.headers.get('etag') ?? '';
    await first.text();
    expect([first.headers.get('cache-control'), first.headers.get('vary')]).toEqual([
      'private, no-cache',
      expect.stringContaining('X-API-Key'),
    ]);
    await catalog.dataSource.query('UPDATE users SET key_last_used_at = now() WHERE id = 2');
    expect((await answer(etag)).status).toBe(304);
    await catalog.dataSource.query(`UPDATE users SET last_name = 'Adam' WHERE id = 1`);
    expect((await answer(etag)).status).toBe(200);
    await catalog.dataSource.query(`UPDATE users SET last_name = 'adams' WHERE id = 1`);
  });

  it('should list only the people who changed since the cursor', async () => {
    const response = await catalog.fetch('/api/users?updated_since=2999-01-01', { key: globalKey });
    expect(await response.json()).toEqual({ results: [] });
  });

  /** Returns the ids on each page of a list. */
  async function pages(path: string): Promise<number[][]> {
    const response = await catalog.fetch(path, { key: globalKey });
    const { results } = (await response.json()) as { results: { id: number }[] };
    const next = /^<[^?]+(\?[^>]+)>/.exec(response.headers.get('link') ?? '')?.[1];
    return [results.map(({ id }) => id), ...(next === undefined ? [] : await pages(`/api/users${next}`))];
  }

  it.each([
    ['no key', undefined, 'key.required'],
    ['an unknown key', 'unknown', 'key.unknown'],
    ['a user key, even of an administrator', 'admin-key', 'access.denied'],
  ])('should refuse %s', async (_, key, code) => {
    const response = await catalog.fetch('/api/users', { key });
    expect(response.status).toBe(403);
    expect(((await response.json()) as { more: { code: string } }).more.code).toBe(code);
  });

  it('should refuse writes', async () => {
    const response = await catalog.fetch('/api/users', { method: 'POST', key: globalKey, body: '{}' });
    expect(response.status).toBe(405);
  });
});
