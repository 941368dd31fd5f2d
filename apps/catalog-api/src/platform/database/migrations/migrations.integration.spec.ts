import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../../../../test/support/test-database.ts';
import { catalogSettings } from '../../../app/catalog.settings.js';
import { entities } from '../../../app/entities.js';
import { dataSourceOptions } from '../data-source.js';
import { DatabaseSettings } from '../database.settings.js';

describe('migrations', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let applied: unknown[];

  beforeEach(async () => {
    database = await createTestDatabase();
    dataSource = await new DataSource(
      dataSourceOptions(catalogSettings({ DATABASE_URL: database.url }).get(DatabaseSettings), entities),
    ).initialize();
    applied = await dataSource.runMigrations();
  });

  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('should produce the schema of the entities', async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('should leave no table or function when undone, and run a second time', async () => {
    expect(await dataSource.runMigrations()).toEqual([]);
    for (let left = applied.length; left > 0; left--) await dataSource.undoLastMigration();
    expect(await leftOvers(dataSource)).toEqual(['migrations']);
    expect(await dataSource.runMigrations()).toHaveLength(applied.length);
  });

  it('should refuse updates and deletions of audit entries', async () => {
    await dataSource.query(
      `INSERT INTO audit_entries (actor, action, resource, record_id) VALUES ('global', 'create', 'projects', '1')`,
    );
    await expect(dataSource.query('DELETE FROM audit_entries')).rejects.toThrow('append-only');
    await expect(dataSource.query(`UPDATE audit_entries SET actor = 'nobody'`)).rejects.toThrow('append-only');
  });
});

async function leftOvers(dataSource: DataSource): Promise<string[]> {
  const rows = await dataSource.query<{ name: string }[]>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
     UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace`,
  );
  return rows.map(({ name }) => name);
}
