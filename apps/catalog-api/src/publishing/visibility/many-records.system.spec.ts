import { jest } from '@jest/globals';
import { Client } from 'pg';
import { startCatalog, type RunningCatalog } from '../../../test/catalog.js';
import { giveKey } from '../../../test/people.js';

/** The number of datasets, of which one user holds three. */
const many = `
  INSERT INTO users (id, last_name, subject) SELECT n, 'Person ' || n, 's' || n FROM generate_series(1, 2) AS n;
  INSERT INTO projects (id, acronym) VALUES (1, 'HELD');
  INSERT INTO datasets (id, external_id, uuid, name, project_id)
    SELECT n, 'RDC_' || n, gen_random_uuid(), 'Dataset ' || n, CASE n WHEN 300 THEN 1 END FROM generate_series(1, 20000) AS n;
  INSERT INTO dataset_documents (id, created_at, body, storages, public_storages)
    SELECT id, created_at, '"name":"' || name || '"', '[]', '[]' FROM datasets;
  INSERT INTO dataset_custodians (dataset_id, user_id) SELECT n, CASE n WHEN 100 THEN 1 ELSE 2 END FROM generate_series(1, 20000) AS n;
  INSERT INTO project_custodians (project_id, user_id) VALUES (1, 1);
  INSERT INTO grants (user_id, dataset_id, granted_by) VALUES (1, 200, 'global');
  ANALYZE`;

describe('among many records', () => {
  const userKey = 'u'.repeat(48);
  let catalog: RunningCatalog;

  beforeAll(async () => {
    catalog = await startCatalog({ PROTECTED_INHERITS: 'true' });
    await catalog.dataSource.query(many);
    await giveKey(catalog, { user: 1 }, userKey);
  });

  afterAll(() => catalog.stop());

  it('should start the plan with the records that a user holds when the catalog has many records', async () => {
    const query = jest.spyOn(Client.prototype, 'query');
    const { items } = (await (await catalog.fetch('/api/datasets?limit=10', { key: userKey })).json()) as {
      items: unknown;
    };
    const calls = query.mock.calls as unknown as [statement: unknown, values: unknown[]][];
    const [statement, values] = calls.find(([each]) => String(each).includes('dataset_documents')) ?? [''];
    query.mockRestore();
    const plan = JSON.stringify(await catalog.dataSource.query(`EXPLAIN (FORMAT JSON) ${String(statement)}`, values));
    expect(items).toMatchObject(['100', '200', '300'].map((id) => ({ name: `Dataset ${id}` })));
    expect(plan).toContain('dataset_documents_pkey');
    expect(plan).not.toContain('dataset_documents_created_at_id_idx');
    expect(plan).not.toMatch(/"Node Type":"Seq Scan"[^}]*"Relation Name":"dataset_documents"/);
  });
});
