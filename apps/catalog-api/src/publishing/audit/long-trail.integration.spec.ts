import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { globalKey, startCatalog, type RunningCatalog } from '../../../test/catalog.js';

describe('a long audit trail', () => {
  let catalog: RunningCatalog;

  beforeAll(async () => {
    catalog = await startCatalog();
    await catalog.dataSource.query(
      `INSERT INTO audit_entries (actor, action, resource, record_id, after)
       SELECT 'global', CASE n WHEN 1234 THEN 'expose' ELSE 'update' END, 'exposures', n::text,
              jsonb_build_object('dataset_id', n)
         FROM generate_series(1, 20000) AS n`,
    );
    await catalog.dataSource.query('ANALYZE audit_entries');
  });

  afterAll(() => catalog.stop());

  const planOf = async (query: string): Promise<string> => {
    const asked = jest.spyOn(catalog.app.get(DataSource), 'query');
    const response = await catalog.fetch(`/api/admin/audit?${query}`, { key: globalKey });
    expect(await response.json()).toMatchObject({ items: [{ after: { dataset_id: 1234 } }] });
    const [statement, values] = asked.mock.calls.find(([sql]) => sql.includes('audit_entries')) ?? [''];
    asked.mockRestore();
    return JSON.stringify(await catalog.dataSource.query(`EXPLAIN (FORMAT JSON) ${statement}`, values));
  };

  it.each([
    ['the writes of a dataset', 'resource=datasets&record_id=1234', 'audit_entries_exposed_dataset_idx'],
    ['a rare action', 'action=expose', 'audit_entries_action_id_idx'],
  ])('should search the audit trail by indexes alone for %s', async (_, query, index) => {
    const plan = await planOf(query);
    expect(plan).toContain(index);
    expect(plan).not.toContain('audit_entries_pkey');
    expect(plan).not.toMatch(/"Node Type":"Seq Scan"[^}]*"Relation Name":"audit_entries"/);
  });
});
