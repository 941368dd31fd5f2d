import { keys, smallCatalog, startSmallCatalog, type Item, type SmallCatalog } from '../../../test/small-catalog.js';
import { Visibility } from './visibility.js';

describe(Visibility.name, () => {
  let catalog: SmallCatalog;

  beforeAll(async () => {
    catalog = await startSmallCatalog();
  });

  afterAll(() => catalog.stop());

  /** The records that each caller sees, by `id_at_source`, or the status of a refusal. */
  const visible: Record<string, Partial<Record<keyof typeof keys, string | number>>> = {
    '/api/projects': {
      none: 403,
      unknown: 403,
      inactive: 403,
      global: '1 2 3',
      steward: '1 2 3',
      auditor: '1 2 3',
      legal: '',
      ada: '1',
      carl: '1 2',
      plain: '2',
      first: '1 2',
      second: '1',
      empty: '',
    },
    '/api/datasets': {
      none: 403,
      unknown: 403,
      inactive: 403,
      global: '1 2 3',
      steward: '1 2 3',
      auditor: '1 2 3',
      legal: '',
      ada: '1',
      carl: '1',
      plain: '3',
      first: '1 2',
      second: '1',
      empty: '',
    },
    '/api/contracts': {
      none: 403,
      unknown: 403,
      inactive: 403,
      global: '1 2',
      steward: '1 2',
      auditor: '1 2',
      legal: '1 2',
      ada: '',
      carl: '1',
      plain: '2',
      first: '1 2',
      second: '1',
      empty: '',
    },
    '/api/contracts?all=true': { global: '1 2 3', carl: '1', first: '1 2' },
    '/api/partners': { none: '1', unknown: 403, inactive: 403, global: '2 1', plain: '2 1', empty: '2 1' },
    '/api/partners?published=false': { none: '1', global: '2', plain: '2', empty: '2' },
    '/api/partners?published=TRUE': { none: '1', global: '1', plain: '1', empty: '1' },
    '/api/cohorts': { none: '1', unknown: '1', inactive: '1', global: '1', steward: '1', plain: '1', first: '1' },
    '/api/cohorts?published=false': { none: '1', global: '2', steward: '1', first: '1' },
    '/api/cohorts?published=all': { none: '1', global: '1 2', first: '1' },
  };

  describe.each(Object.entries(visible))('GET %s', (path, callers) => {
    it.each(Object.entries(callers))('should show %s: %s', async (caller, expected) => {
      const key = keys[caller as keyof typeof keys];
      const response = await catalog.fetch(path, { ...(key !== undefined && { key }) });
      const body = (await response.json()) as { items?: Item[]; results?: Item[] };
      const seen = (body.items ?? body.results)?.map((item) => item['id_at_source'] ?? item['id']);
      expect(seen ? seen.join(' ') : response.status).toBe(expected);
    });

    it('should show the same records one by one, and no others', async () => {
      const kind = path.split('?')[0] ?? '';
      for (const [caller, expected] of Object.entries(callers)) {
        if (path.includes('?') || typeof expected === 'number') continue;
        const everyOne = kind === '/api/contracts' || kind === '/api/cohorts';
        const all = caller === 'global' && everyOne ? '1 2 3' : expected;
        for (const id of ['1', '2', '3']) {
          const key = keys[caller as keyof typeof keys];
          const { status } = await catalog.fetch(`${kind}/${id}`, { ...(key !== undefined && { key }) });
          const exists = !(id === '3' && (kind === '/api/partners' || kind === '/api/cohorts'));
          const roleSeesAll = kind === '/api/contracts' && ['steward', 'auditor', 'legal'].includes(caller);
          const shown = all.split(' ').includes(id) && exists && !(roleSeesAll && id === '3');
          expect(`${caller} ${id}: ${String(status)}`).toBe(`${caller} ${id}: ${shown ? '200' : '404'}`);
        }
      }
    });
  });
});

describe('PROTECTED_INHERITS', () => {
  let catalog: SmallCatalog;

  beforeAll(async () => {
    catalog = await startSmallCatalog(smallCatalog, { PROTECTED_INHERITS: 'true' });
  });

  afterAll(() => catalog.stop());

  /** The records that custodians of projects (Ada of 1, Carl of 1 and 2) and a grantee (plain: 2) see. */
  const visible: Record<string, Partial<Record<keyof typeof keys, string>>> = {
    projects: { global: '1 2 3', steward: '1 2 3', legal: '', ada: '1', carl: '1 2', plain: '2', first: '1 2' },
    datasets: { global: '1 2 3', auditor: '1 2 3', legal: '', ada: '1', carl: '1 2', plain: '2 3', first: '1 2' },
    contracts: { global: '1 2', legal: '1 2', ada: '1', carl: '1 2', plain: '2', second: '1', empty: '' },
  };

  const cells = Object.entries(visible).flatMap(([list, callers]) =>
    Object.entries(callers).map(([caller, expected]) => [list, caller as keyof typeof keys, expected] as const),
  );

  it.each(cells)('should show of %s to %s: %s', async (list, caller, expected) => {
    const key = keys[caller];
    const items = await catalog.items(`/api/${list}`, key);
    expect(items.map((item) => item['id_at_source'] ?? item['id']).join(' ')).toBe(expected);
    for (const id of ['1', '2', '3']) {
      const { status } = await catalog.fetch(`/api/${list}/${id}`, { ...(key !== undefined && { key }) });
      const isEveryContract = list === 'contracts' && caller === 'global';
      expect([id, status]).toEqual([id, isEveryContract || expected.split(' ').includes(id) ? 200 : 404]);
    }
  });
});
