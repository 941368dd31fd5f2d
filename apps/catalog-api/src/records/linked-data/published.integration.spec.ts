import { startCatalog, globalKey, type RunningCatalog } from '../../../test/catalog.js';
import { giveKey } from '../../../test/people.js';

/** The states of a dataset, with its exposures to endpoint 1 (public) or 2, active or deprecated. */
const states = {
  'never exposed': [],
  'exposed in private': [{ endpoint_id: 2 }],
  'deprecated in public': [{ endpoint_id: 1, deprecated: true }],
  'deprecated in public, exposed in private': [{ endpoint_id: 1, deprecated: true }, { endpoint_id: 2 }],
  'exposed in public': [{ endpoint_id: 1 }],
  'exposed in public again': [{ endpoint_id: 1, deprecated: true }, { endpoint_id: 1 }],
} as const;

const isPublic = ['exposed in public', 'exposed in public again'];
const names = Object.keys(states) as (keyof typeof states)[];
const accession = (state: string): string => `RDC_${String(names.indexOf(state as keyof typeof states) + 10)}`;

/** Datasets with one project each, a custodian (user 1) and a grant (to user 2), which do not publish anything. */
const records = names.flatMap((state, n) => [
  { record: 'project', id: n + 1, acronym: `P${String(n)}`, external_id: `RDC_P${String(n)}`, custodians: [1] },
  {
    record: 'dataset',
    id: n + 1,
    uuid: `00000000-0000-4000-8000-00000000000${String(n)}`,
    name: state,
    external_id: accession(state),
    project_id: n + 1,
    custodians: [1],
  },
  { record: 'grant', id: n + 1, user_id: 2, dataset_id: n + 1, granted_by: 'global' },
]);
const exposures = names.flatMap((state, n) =>
  states[state].map((each) => ({
    record: 'exposure',
    dataset_id: n + 1,
    endpoint_id: each.endpoint_id,
    form_id: 1,
    ...('deprecated' in each && { deprecated_at: '2024-01-01T00:00:00Z', deprecation_notes: 'old' }),
  })),
);

describe('the published records', () => {
  let catalog: RunningCatalog;

  beforeAll(async () => {
    catalog = await startCatalog();
    await catalog.fill([
      { record: 'user', id: 1, last_name: 'Custodian', email: 'c@example.org' },
      { record: 'user', id: 2, last_name: 'Grantee', email: 'g@example.org' },
      { record: 'endpoint', id: 1, name: 'Public', public: true },
      { record: 'endpoint', id: 2, name: 'Private' },
      ...records,
      ...exposures.map((each, n) => ({ ...each, id: n + 1 })),
    ]);
    await giveKey(catalog, { user: 1 }, 'custodian');
    await giveKey(catalog, { user: 2 }, 'grantee');
    await giveKey(catalog, { endpoint: 1 }, '1'.repeat(64));
    await giveKey(catalog, { endpoint: 2 }, '2'.repeat(64));
  });

  afterAll(() => catalog.stop());

  const linked = (path: string, key?: string): Promise<Response> =>
    catalog.fetch(path, { headers: { Accept: 'application/ld+json' }, ...(key !== undefined && { key }) });

  async function namesAt(path: string, key?: string): Promise<string[]> {
    const document = (await (await linked(path, key)).json()) as Record<string, unknown>;
    const nodes = (document['dcat:dataset'] ?? document['@graph']) as { 'dct:title': string }[];
    return nodes.map((each) => each['dct:title']);
  }

  it.each(names)(
    'should include a dataset and its project only while the dataset is exposed to a public endpoint: %s',
    async (state) => {
      const shown = isPublic.includes(state);
      const expected = shown ? 200 : 404;
      const project = `RDC_P${String(names.indexOf(state))}`;
      expect((await namesAt('/api/dcat')).includes(state)).toBe(shown);
      expect((await (await catalog.fetch('/sitemap.xml')).text()).includes(`${accession(state)}<`)).toBe(shown);
      for (const path of [`datasets/${accession(state)}`, `projects/${project}`]) {
        for (const key of [undefined, 'custodian', globalKey]) {
          expect([path, key, (await linked(`/api/dcat/${path}`, key)).status]).toEqual([path, key, expected]);
        }
      }
    },
  );

  const exposed = names.filter((state) => states[state].some((each) => !('deprecated' in each)));
  const inPrivate = ['exposed in private', 'deprecated in public, exposed in private'];
  it.each([
    ['the global key', globalKey, exposed],
    ['a custodian', 'custodian', exposed],
    ['a grantee', 'grantee', exposed],
    ['the public endpoint', '1'.repeat(64), isPublic],
    ['the private endpoint', '2'.repeat(64), inPrivate],
  ])('should be returned as linked data to a caller who may read them: %s', async (_, key, expected) => {
    expect(await namesAt('/api/datasets', key)).toEqual(expected);
    for (const state of names) {
      const { status } = await linked(`/api/datasets/${accession(state)}`, key);
      expect([state, status]).toEqual([state, expected.includes(state) ? 200 : 404]);
    }
  });

  it('should require a key for linked data when the JSON requires a key', async () => {
    expect((await linked('/api/datasets')).status).toBe(403);
    expect((await linked('/api/projects/RDC_P4', 'unknown')).status).toBe(403);
  });

  it('should contain the new landing page when the endpoint changes its URL pattern', async () => {
    const before = await catalog.fetch('/api/dcat');
    const body = JSON.stringify({ url_pattern: 'https://portal.example.org/${entity_id}' });
    await catalog.fetch('/api/admin/endpoints/1', { method: 'PATCH', body, key: globalKey });
    const headers = { 'If-None-Match': before.headers.get('etag') ?? '' };
    const after = await catalog.fetch('/api/dcat', { headers });
    expect([after.status, await after.text()]).toEqual([
      200,
      expect.stringContaining('https://portal.example.org/RDC_14'),
    ]);
  });

  it('should change when the endpoint becomes public or private', async () => {
    const before = await catalog.fetch('/api/dcat');
    const flag = async (value: boolean): Promise<void> => {
      const body = JSON.stringify({ public: value });
      const answer = await catalog.fetch('/api/admin/endpoints/2', { method: 'PATCH', body, key: globalKey });
      expect(answer.status).toBe(200);
    };
    const since = new Date().toISOString();
    await flag(true);
    const headers = { 'If-None-Match': before.headers.get('etag') ?? '' };
    expect((await catalog.fetch('/api/dcat', { headers })).status).toBe(200);
    expect(await namesAt('/api/dcat')).toEqual(exposed);
    expect(await namesAt(`/api/dcat?updated_since=${since}`)).toEqual(inPrivate);
    await flag(false);
    expect(await namesAt('/api/dcat')).toEqual(isPublic);
  });
});
