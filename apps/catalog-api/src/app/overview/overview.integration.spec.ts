import { administered, type Administered } from '../../../test/administered.js';

const uuid = (n: number): string => `6f0e8a52-0000-4000-8000-00000000000${String(n)}`;
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

describe('GET /api/admin/overview', () => {
  let catalog: Administered;

  beforeAll(async () => {
    catalog = await administered([
      { record: 'user', id: 1, last_name: 'Byron' },
      { record: 'user', id: 2, last_name: 'Gone', active: false },
      { record: 'user', id: 3, last_name: 'Pipeline', technical: true },
      { record: 'partner', id: 1, external_id: 'RDC_21', name: 'Clinic', published: true },
      { record: 'project', id: 1, external_id: 'RDC_1', acronym: 'ALPHA', name: 'Alpha' },
      { record: 'project', id: 2, external_id: 'RDC_2', acronym: 'BETA', name: 'Beta' },
      { record: 'dataset', id: 1, external_id: 'RDC_11', uuid: uuid(1), name: 'Exposed', project_id: 1 },
      { record: 'dataset', id: 2, external_id: 'RDC_12', uuid: uuid(2), name: 'Withdrawn', project_id: 2 },
      { record: 'contract', id: 1, name: 'Agreement', project_id: 1 },
      { record: 'endpoint', id: 1, name: 'Portal' },
      { record: 'endpoint', id: 2, name: 'Network' },
      { record: 'exposure', id: 1, dataset_id: 1, endpoint_id: 1, form_id: 3 },
      { record: 'exposure', id: 2, dataset_id: 1, endpoint_id: 2, form_id: 3 },
      { record: 'exposure', id: 3, dataset_id: 2, endpoint_id: 1, form_id: 3, deprecated_at: '2020-01-01T00:00:00Z' },
      { record: 'access', id: 1, dataset_id: 1, user_id: 1, status: 'active' },
      { record: 'access', id: 2, dataset_id: 2, user_id: 1, status: 'active', expires_at: inDays(3) },
      { record: 'access', id: 3, dataset_id: 1, user_id: 1, status: 'active', expires_at: inDays(-3) },
      { record: 'access', id: 4, dataset_id: 1, application: 1, subject: 'kc', status: 'precreated' },
      { record: 'access', id: 5, dataset_id: 2, user_id: 1, status: 'suspended' },
    ]);
    await catalog.dataSource.query(
      `INSERT INTO refused_entitlements (application, resource, subject, ends, reason)
       VALUES (1, 'RDC_404', 'kc', '{NULL}', 'unknown_resource'), (2, 'RDC_1', 'kc', '{NULL}', 'stale')`,
    );
  });

  afterAll(() => catalog.stop());

  it('should refuse a caller who may not read every record', async () => {
    const become = (role: string): Promise<unknown> =>
      catalog.dataSource.query('UPDATE users SET roles = ARRAY[$1] WHERE id = $2', [role, catalog.auditorId]);
    await become('legal');
    expect(await catalog.refusals('GET', '/api/admin/overview')).toEqual(catalog.allRefused);
    for (const role of ['auditor', 'data_steward']) {
      await become(role);
      const refused = await catalog.refusals('GET', '/api/admin/overview');
      expect(refused).toEqual({ ...catalog.allRefused, 'session without the role': '200 ' });
    }
  });

  it('should count each record once', async () => {
    const report = { conflicts: [{ subject: 'kc', reason: 'has no address' }] };
    await catalog.dataSource.query(
      'INSERT INTO account_syncs (finished_at, confirmed, report) VALUES (now(), false, $1)',
      [report],
    );
    const { status, body } = await catalog.send('GET', '/api/admin/overview');
    expect(status).toBe(200);
    expect(body).toEqual({
      projects: { total: 2, published: 1 },
      datasets: { total: 2, published: 1 },
      partners: { total: 1, published: 1 },
      cohorts: { total: 0, published: 0 },
      contracts: 1,
      users: 3,
      accesses: { in_force: 2, ending: 1, waiting: 1, suspended: 1, refused: 2 },
      sync_conflicts: 1,
      terms: { disease: 0, phenotype: 0, study: 0, gene: 0 },
    });
  });
});
