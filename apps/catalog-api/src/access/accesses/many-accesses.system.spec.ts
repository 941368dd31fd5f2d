import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { globalKey, startCatalog, type RunningCatalog } from '../../../test/catalog.js';

const many = `
  INSERT INTO users (id, last_name, subject) SELECT n, 'Person ' || n, 's' || n FROM generate_series(1, 20000) AS n;
  INSERT INTO contacts (id, last_name) SELECT n, 'Contact ' || n FROM generate_series(1, 20000) AS n;
  INSERT INTO datasets (id, external_id, uuid, name)
    SELECT n, 'RDC_' || n, gen_random_uuid(), 'Dataset ' || n FROM generate_series(1, 20000) AS n;
  INSERT INTO endpoints (id, name) VALUES (1, 'Portal');
  INSERT INTO exposures (dataset_id, endpoint_id, form_id) SELECT id, 1, 1 FROM datasets WHERE id > 1;
  INSERT INTO accesses (dataset_id, application, subject, user_id) SELECT n, 1, 's' || n, n FROM generate_series(1, 20000) AS n;
  INSERT INTO accesses (dataset_id, application, subject) SELECT n, 2, 'x' || n FROM generate_series(1, 20000) AS n;
  INSERT INTO accesses (dataset_id, contact_id) SELECT n, n FROM generate_series(1, 20000) AS n;
  ANALYZE`;

describe('a catalog with many accesses and datasets', () => {
  let catalog: RunningCatalog;

  beforeAll(async () => {
    catalog = await startCatalog();
    await catalog.dataSource.query(many);
    await catalog.documents.rebuildAll();
  }, 120_000);

  afterAll(() => catalog.stop());

  /** Returns the answer of a list and the plan of its statement. */
  const asked = async (path: string): Promise<{ total: number; plan: string }> => {
    const query = jest.spyOn(catalog.app.get(DataSource), 'query');
    const { total } = (await (await catalog.fetch(`/api/admin/${path}`, { key: globalKey })).json()) as {
      total: number;
    };
    const [statement, values] = query.mock.calls.find(([sql]) => sql.includes('page_place')) ?? [''];
    query.mockRestore();
    const rows: unknown = await catalog.dataSource.query(`EXPLAIN (FORMAT JSON) ${statement}`, values);
    return { total, plan: JSON.stringify(rows) };
  };

  it.each(['Person 1234', 'Dataset 1234', 'Contact 1234', 'x1234'])(
    'should search accesses only by indexes for %s',
    async (q) => {
      const { total, plan } = await asked(`accesses?q=${encodeURIComponent(q)}`);
      expect(total).toBeGreaterThan(0);
      for (const index of ['users', 'datasets', 'contacts', 'accesses']) expect(plan).toContain(`${index}_search_idx`);
      expect(plan).not.toMatch(/"Node Type":"Seq Scan"[^}]*"Relation Name":"accesses"/);
    },
  );

  it('should filter all datasets by publication within the time limit', async () => {
    const { total, plan } = await asked('datasets?published=false');
    expect(total).toBe(1);
    expect(plan).toContain('"Join Type":"Anti"');
  });
});
