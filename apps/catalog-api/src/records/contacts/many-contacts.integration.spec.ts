import { jest } from '@jest/globals';
import { EntityManager } from 'typeorm';
import { startWritableCatalog, type WritableCatalog } from '../../../test/writing.js';

describe('POST /api/cohorts in a catalog with many contacts', () => {
  let catalog: WritableCatalog;

  beforeAll(async () => {
    catalog = await startWritableCatalog();
    await catalog.dataSource.query(
      `INSERT INTO contacts (first_name, last_name) SELECT 'Max', 'Weber ' || n FROM generate_series(1, 100000) AS n`,
    );
    await catalog.dataSource.query('ANALYZE contacts');
  });

  afterAll(() => catalog.stop());

  it('should find the contacts of a document by an index', async () => {
    const queries = jest.spyOn(EntityManager.prototype, 'query');
    const contacts = [{ first_name: 'Max', last_name: 'Weber 7' }];
    const { status } = await catalog.send('POST', '/api/cohorts', { name: 'Cohort', contacts });
    const [statement, values] = queries.mock.calls.find(([sql]) => sql.includes('JOIN contacts')) ?? [''];
    queries.mockRestore();
    expect(status).toBe(201);
    const plan = JSON.stringify(await catalog.dataSource.query(`EXPLAIN (FORMAT JSON) ${statement}`, values));
    expect(plan).toContain('contacts_name_idx');
  });
});
