import { globalKey, startCatalog, type RunningCatalog } from '../../test/catalog.js';
import { keyHasherOf } from '../keys/keys.module.js';
import { catalogSettings } from '../settings.js';

describe('GET /api/users', () => {
  let catalog: RunningCatalog;

  beforeAll(async () => {
    catalog = await startCatalog();
    const hasher = keyHasherOf(catalogSettings(catalog.environment));
    await catalog.dataSource.query(
      `INSERT INTO users (id, first_name, last_name, email, active, technical, roles, key_hash) VALUES
         (1, 'Zoe', 'adams', NULL, true, false, '{}', NULL), (2, 'Ann', 'Brown', NULL, true, false, '{admin}', $1),
         (3, 'Abe', 'Adams', NULL, true, false, '{}', NULL), (4, 'Left', 'Us', NULL, false, false, '{}', NULL),
         (5, 'Pipe', 'Line', NULL, true, true, '{}', NULL), (6, '', '', 'mail@example.org', true, false, '{}', NULL)`,
      [hasher.hash('admin-key')],
    );
  });

  afterAll(() => catalog.stop());

  it('should list active people by last and first name, and no technical account', async () => {
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

  it.each([
    ['no key', undefined, 'key.required'],
    ['an unknown key', 'unknown', 'key.unknown'],
    ['a user key, even of an administrator', 'admin-key', 'access.denied'],
  ])('should refuse %s', async (_, key, code) => {
    const response = await catalog.fetch('/api/users', { key });
    expect(response.status).toBe(403);
    expect(((await response.json()) as { more: { code: string } }).more.code).toBe(code);
  });

  it('should not be writable', async () => {
    const response = await catalog.fetch('/api/users', { method: 'POST', key: globalKey, body: '{}' });
    expect(response.status).toBe(405);
  });
});
