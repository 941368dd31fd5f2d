import { signedInAs } from '../../../test/signed-in.js';
import type { Browser } from '../../../test/support/browser.js';
import { keys, startSmallCatalog, type Item, type SmallCatalog } from '../../../test/small-catalog.js';
import { Visibility } from './visibility.js';

const people = { ada: 1, carl: 2, steward: 3, auditor: 4, legal: 5, plain: 6, admin: 7 };
type Person = keyof typeof people;

describe(`${Visibility.name} of a signed-in person`, () => {
  let catalog: SmallCatalog;
  const browsers = {} as Record<Person, Browser>;

  beforeAll(async () => {
    catalog = await startSmallCatalog();
    await catalog.dataSource.query(`UPDATE users SET active = true, roles = '{admin}' WHERE id = $1`, [people.admin]);
    for (const [name, id] of Object.entries(people)) browsers[name as Person] = await signedInAs(catalog, id);
  });
  afterAll(() => catalog.stop());

  /** The records that each signed-in person sees, by `id_at_source`. */
  const visible: Record<string, Partial<Record<Person, string>>> = {
    '/api/projects': {
      admin: '1 2 3',
      steward: '1 2 3',
      auditor: '1 2 3',
      legal: '',
      ada: '1',
      carl: '1 2',
      plain: '2',
    },
    '/api/datasets': { admin: '1 2 3', steward: '1 2 3', auditor: '1 2 3', legal: '', ada: '1', carl: '1', plain: '3' },
    '/api/contracts': { admin: '1 2', steward: '1 2', auditor: '1 2', legal: '1 2', ada: '', carl: '1', plain: '2' },
    '/api/contracts?all=true': { admin: '1 2 3', auditor: '1 2 3', legal: '1 2 3', ada: '', carl: '1', plain: '2' },
    '/api/partners': { admin: '2 1', auditor: '2 1', plain: '2 1' },
    '/api/partners?published=false': { steward: '2', legal: '2', plain: '2' },
    '/api/cohorts': { admin: '1', auditor: '1', plain: '1' },
    '/api/cohorts?published=all': { admin: '1 2', steward: '1 2', auditor: '1 2', legal: '1', plain: '1' },
  };

  describe.each(Object.entries(visible))('GET %s', (path, callers) => {
    it.each(Object.entries(callers))('should show %s: %s', async (caller, expected) => {
      const response = await browsers[caller as Person].fetch(path);
      const body = (await response.json()) as { items?: Item[]; results?: Item[] };
      const seen = (body.items ?? body.results ?? []).map((item) => item['id_at_source'] ?? item['id']);
      expect(seen.join(' ')).toBe(expected);
      expect(response.headers.get('vary')).toContain('Cookie');
    });
  });

  it('should show the member published only to curators', async () => {
    const toldTo = async (caller: Person): Promise<boolean> => {
      const { results } = (await (await browsers[caller].fetch('/api/partners')).json()) as { results: Item[] };
      return results.every((item) => 'published' in item);
    };
    expect(await Promise.all((['admin', 'steward', 'auditor', 'legal', 'plain'] as const).map(toldTo))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('should show the exposures of a dataset only to callers who read all records', async () => {
    const path = '/api/datasets/RDC_11/exposures';
    const statusFor = async (caller: Person): Promise<number> => (await browsers[caller].fetch(path)).status;
    const callers = ['admin', 'steward', 'auditor', 'legal', 'ada', 'plain'] as const;
    expect(await Promise.all(callers.map(statusFor))).toEqual([200, 200, 200, 403, 403, 403]);
  });

  it('should list people for every signed-in user', async () => {
    expect((await browsers.plain.fetch('/api/users')).status).toBe(200);
  });

  it('should use the key when a request has a key and a session', async () => {
    const seenWith = (key: string): Promise<Response> =>
      browsers.admin.fetch('/api/projects', { headers: { 'X-API-Key': key } });
    expect(((await (await seenWith(keys.plain)).json()) as { items: Item[] }).items).toHaveLength(1);
    expect((await seenWith(keys.unknown)).status).toBe(403);
  });

  it('should apply a changed role and a deactivation immediately', async () => {
    const [{ id }] = await catalog.dataSource.query<[{ id: number }]>('INSERT INTO users DEFAULT VALUES RETURNING id');
    const browser = await signedInAs(catalog, id);
    const count = async (): Promise<number> =>
      ((await (await browser.fetch('/api/projects')).json()) as { items?: Item[] }).items?.length ?? -1;
    expect(await count()).toBe(0);
    await catalog.dataSource.query(`UPDATE users SET roles = '{auditor}' WHERE id = $1`, [id]);
    expect(await count()).toBe(3);
    await catalog.dataSource.query('UPDATE users SET active = false WHERE id = $1', [id]);
    expect(await count()).toBe(-1);
  });
});
