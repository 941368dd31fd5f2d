import type { Role } from '@rdc/auth';
import { startCatalog, type RunningCatalog } from './catalog.js';
import { signedInWith } from './signed-in.js';
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
  ...lists.map((list) => ['POST', `/api/import/${list}`]),
  ['POST', '/api/datasets/1/exposures'],
  ['POST', '/api/datasets/1/exposures/1/deprecate'],
] as [string, string][];

describe('permission to write with a key', () => {
  let catalog: SmallCatalog;

  beforeAll(async () => {
    catalog = await startSmallCatalog();
  });

  afterAll(() => catalog.stop());

  it.each(writes)('should refuse %s %s for every key except the global key', async (method, path) => {
    for (const key of [keys.steward, keys.legal, keys.ada, keys.first, keys.unknown, undefined]) {
      const answer = await catalog.fetch(path, { method, body: 'not even JSON', ...(key !== undefined && { key }) });
      expect([key, answer.status]).toEqual([key, 403]);
    }
    const allowed = await catalog.fetch(path, { method, body: 'not even JSON', key: keys.global });
    expect(allowed.status).not.toBe(403);
  });
});

describe('permission to write with a session', () => {
  let catalog: RunningCatalog;

  beforeAll(async () => {
    catalog = await startCatalog({ SESSION_SECRET: 'the session secret of this suite, long enough' });
  });

  afterAll(() => catalog.stop());

  it.each<[Role | 'none', (path: string) => boolean]>([
    ['admin', () => true],
    ['data_steward', () => true],
    ['auditor', () => false],
    ['legal', (path) => path.includes('contracts')],
    ['none', () => false],
  ])('should depend on the role: %s', async (role, mayWrite) => {
    const browser = await signedInWith(catalog, ...(role === 'none' ? [] : [role]));
    for (const [method, path] of writes) {
      const { status } = await browser.fetch(path, { method, body: '{"items":[]}' });
      expect([method, path, status !== 403]).toEqual([method, path, mayWrite(path)]);
    }
  });

  it('should show a written record to its writer, and record the writer in the audit trail', async () => {
    const browser = await signedInWith(catalog, 'data_steward');
    const made = await browser.fetch('/api/cohorts', { method: 'POST', json: { name: 'Written by session' } });
    expect([made.status, await made.json()]).toEqual([
      201,
      expect.objectContaining({ name: 'Written by session', published: false }),
    ]);
    const [entry] = await catalog.dataSource.query<[{ actor: string }]>('SELECT actor FROM audit_entries');
    expect(entry.actor).toMatch(/^user:\d+$/);
  });
});
