import { jest } from '@jest/globals';
import { Client } from 'pg';
import { EntityManager } from 'typeorm';
import { startWritableCatalog, type WritableCatalog } from '../../../test/writing.js';

describe('writing into a catalog with many partners and projects', () => {
  let catalog: WritableCatalog;

  beforeAll(async () => {
    catalog = await startWritableCatalog();
    await catalog.dataSource.query(`
      INSERT INTO partners (name, acronym) SELECT 'Partner ' || n, 'PA' || n FROM generate_series(1, 20000) AS n;
      INSERT INTO projects (acronym, name) SELECT 'PR' || n, 'Project ' || n FROM generate_series(1, 20000) AS n;
      ANALYZE partners, projects`);
  });

  afterAll(() => catalog.stop());

  it('should resolve the references of a document by indexes', async () => {
    const asked = jest.spyOn(EntityManager.prototype, 'query');
    const dataset = { name: 'Dataset', project: 'Project 7', transfers: [{ partner: 'PA7' }] };
    const { status, body } = await catalog.send('POST', '/api/datasets', dataset);
    const statements = asked.mock.calls.filter(([sql]) => sql.includes('AS wanted (key'));
    asked.mockRestore();
    expect([status, body['project']]).toEqual([201, 'PR7']);
    expect(statements).toHaveLength(2);
    for (const [statement, values] of statements) {
      const plan = JSON.stringify(await catalog.dataSource.query(`EXPLAIN (FORMAT JSON) ${statement}`, values));
      expect(plan).not.toContain('Seq Scan');
    }
  });

  it('should find the datasets of a project title by an index', async () => {
    await catalog.send('POST', '/api/datasets', { name: 'Dataset of a title', project: 'PR8' });
    const query = jest.spyOn(Client.prototype, 'query');
    const { body } = await catalog.read('/api/datasets?project_title=Project%208&limit=5');
    const calls = query.mock.calls as unknown as [statement: unknown, values: unknown[]][];
    const [statement, values] = calls.find(([each]) => String(each).includes('project.name')) ?? [''];
    query.mockRestore();
    expect(body['items']).toHaveLength(1);
    const plan = JSON.stringify(await catalog.dataSource.query(`EXPLAIN (FORMAT JSON) ${String(statement)}`, values));
    expect(plan).toContain('projects_lower_name_idx');
  });
});
