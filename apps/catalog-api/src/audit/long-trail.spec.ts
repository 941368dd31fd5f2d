import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { globalKey, startCatalog, type RunningCatalog } from '../../test/catalog.js';

describe('a long audit trail', () => {
  let catalog: RunningCatalog;

  beforeAll(async () => {
    catalog = await startCatalog();
    await catalog.dataSource.query(
      `INSERT INTO audit_entries (actor, action, resource, record_id, after)
       SELECT 'global', 'expose', 'exposures', n::text, jsonb_build_object('dataset_id', n)
         FROM generate_series(1, 20000) AS n`,
    );
    await catalog.dataSource.query('ANALYZE audit_entries');
  });

  afterAll(() => catalog.stop());

  it('should be looked into by indexes alone for what was done to a dataset', async () => {
    const asked = jest.spyOn(catalog.app.get(DataSource), 'query');
    const response = await catalog.fetch('/api/admin/audit?resource=datasets&record_id=1234', { key: globalKey });
    expect(await response.json()).toMatchObject({ items: [{ after: { dataset_id: 1234 } }] });
    const [statement, values] = asked.mock.calls.find(([sql]) => sql.includes('audit_entries')) ?? [''];
    asked.mockRestore();
    const plan = JSON.stringify(await catalog.dataSource.query(`EXPLAIN (FORMAT JSON) ${statement}`, values));
    expect(plan).toContain('audit_entries_exposed_dataset_idx');
    expect(plan).not.toContain('audit_entries_pkey');
    expect(plan).not.toMatch(/"Node Type":"Seq Scan"[^}]*"Relation Name":"audit_entries"/);
  });
});
