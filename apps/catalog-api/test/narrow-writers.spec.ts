import { signedInWith } from './signed-in.js';
import type { Browser } from './support/browser.js';
import { startWritableCatalog, type WritableCatalog } from './writing.js';

/** Projects that `legal` may not read: one with a contract and one without a contract. */
const [withContract, hidden] = [4100, 4101];

/** An id that no project has. */
const absent = 4200;

describe('writing by callers that read less than all records', () => {
  let catalog: WritableCatalog;
  let legal: Browser;
  let steward: Browser;

  beforeAll(async () => {
    catalog = await startWritableCatalog();
    await catalog.fill([
      { record: 'project', id: withContract, external_id: 'RDC_1', acronym: 'SIGNED', name: 'Signed' },
      { record: 'project', id: hidden, external_id: 'RDC_2', acronym: 'HIDDEN', name: 'Hidden' },
    ]);
    legal = await signedInWith(catalog, 'legal');
    steward = await signedInWith(catalog, 'data_steward');
    await catalog.send('POST', '/api/contracts', { name: 'Old', project_id: withContract });
  });

  afterAll(() => catalog.stop());

  const rows = async (table: string): Promise<number> => {
    const [{ count }] = await catalog.dataSource.query<[{ count: number }]>(
      `SELECT count(*)::integer AS count FROM ${table}`,
    );
    return count;
  };

  const contractOf = (partner: string): object => ({ name: 'New', partners: [{ partner }] });

  it.each([
    ['POST', '/api/contracts?create_missing=true', contractOf('Made Inc')],
    ['PATCH', '/api/contracts/1?create_missing=true', { partners: [{ partner: 'Made Inc' }] }],
    ['POST', '/api/import/contracts?create_missing=true', { items: [contractOf('Made Inc')] }],
    ['POST', '/api/import/contracts?create_missing=true&dry_run=true', { items: [contractOf('Made Inc')] }],
  ])(
    'should refuse %s %s that creates a partner when the caller may not create partners',
    async (method, path, json) => {
      const before = [await rows('partners'), await rows('contracts'), await rows('audit_entries')];
      const answer = await legal.fetch(path, { method, json });
      const { description, more } = (await answer.json()) as { description: string; more: { code: string } };
      expect([answer.status, more.code]).toEqual([403, 'access.denied']);
      expect(description).toContain('partner');
      expect([await rows('partners'), await rows('contracts'), await rows('audit_entries')]).toEqual(before);
    },
  );

  it('should refuse a data steward who creates a platform', async () => {
    const json = { name: 'Stored', storages: [{ platform: 'New platform', location: '/x' }] };
    const answer = await steward.fetch('/api/datasets?create_missing=true', { method: 'POST', json });
    expect([answer.status, ((await answer.json()) as { description: string }).description]).toEqual([
      403,
      expect.stringContaining('platform'),
    ]);
    expect(await rows('platforms')).toBe(0);
  });

  it.each([
    ['POST', '/api/contracts', false],
    ['POST', '/api/contracts?create_missing=true', false],
    ['PUT', '/api/contracts/1', false],
    ['PATCH', '/api/contracts/1', false],
    ['POST', '/api/import/contracts', true],
    ['POST', '/api/import/contracts?dry_run=true', true],
    ['POST', '/api/import/contracts?create_missing=true&dry_run=true', true],
  ] as const)('should answer %s %s for a hidden project like for an absent project', async (method, path, isBulk) => {
    const answerFor = async (project_id: number): Promise<object> => {
      const document = { name: 'New', project_id };
      const answer = await legal.fetch(path, { method, json: isBulk ? { items: [document] } : document });
      const headers = [...answer.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
      const text = (await answer.text()).replace(/"request_id":"[^"]*"/, '').replaceAll(String(project_id), 'N');
      return { status: answer.status, text, headers };
    };
    const found = await answerFor(hidden);
    expect(found).toMatchObject({ status: 400 });
    expect(found).toEqual(await answerFor(absent));
  });

  it('should let a caller edit a contract that names a project hidden from the caller', async () => {
    const answer = await legal.fetch('/api/contracts/1', { method: 'PATCH', json: { comments: 'signed' } });
    expect([answer.status, await answer.json()]).toMatchObject([200, { project_id: withContract, comments: 'signed' }]);
  });
});
