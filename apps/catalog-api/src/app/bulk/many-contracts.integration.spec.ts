import { jest } from '@jest/globals';
import { EntityManager } from 'typeorm';
import { startWritableCatalog, type WritableCatalog } from '../../../test/writing.js';

describe('POST /api/import/contracts', () => {
  let catalog: WritableCatalog;

  beforeAll(async () => {
    catalog = await startWritableCatalog();
    await catalog.dataSource.query(
      `INSERT INTO contracts (name) SELECT 'Contract ' || n FROM generate_series(1, 100000) AS n`,
    );
    await catalog.dataSource.query('ANALYZE contracts');
  });

  afterAll(() => catalog.stop());

  it('should find existing contracts by an index when there are many', async () => {
    const queries = jest.spyOn(EntityManager.prototype, 'query');
    const items = [{ name: 'Contract 7' }, { name: 'CONTRACT 7' }];
    const { body } = await catalog.send('POST', '/api/import/contracts', { items });
    const [statement, values] = queries.mock.calls.find(([sql]) => sql.includes('JOIN contracts')) ?? [''];
    queries.mockRestore();
    expect(body).toMatchObject({ created: 1, unchanged: 1 });
    const plan = JSON.stringify(await catalog.dataSource.query(`EXPLAIN (FORMAT JSON) ${statement}`, values));
    expect(plan).toContain('contracts_lower_name_idx');
  });
});
