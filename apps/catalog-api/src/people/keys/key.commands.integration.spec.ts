import { KeyHasher } from '@rdc/auth';
import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { dataSourceOptions } from '../../platform/database/data-source.js';
import { catalogSettings } from '../../app/catalog.settings.js';
import { DatabaseSettings } from '../../platform/database/database.settings.js';
import { entities } from '../../app/entities.js';
import { runCatalog } from '../../../test/support/command-line.js';

describe('key', () => {
  const secret = 'the-secret-of-the-hashes-of-this-suite';
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await new DataSource(
      dataSourceOptions(catalogSettings({ DATABASE_URL: database.url }).get(DatabaseSettings), entities),
    ).initialize();
    await dataSource.runMigrations();
    await dataSource.query(`INSERT INTO users (id, email) VALUES (1, 'ada@example.org')`);
    await dataSource.query(`INSERT INTO endpoints (id, name) VALUES (1, 'National catalog')`);
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const issue = async (environment: object, ...words: string[]): Promise<string> =>
    (await runCatalog({ DATABASE_URL: database.url, ...environment }, ['key', ...words])).join('\n');

  const hashes = (): Promise<unknown> =>
    dataSource.query(`SELECT key_hash FROM users UNION ALL SELECT key_hash FROM endpoint_keys`);

  it('should print a key that the catalog accepts with the same secret', async () => {
    const user = await issue({ KEY_HASH_SECRET: secret }, 'user', 'Ada@example.org');
    const endpoint = await issue({ KEY_HASH_SECRET: secret }, 'endpoint', 'National catalog');
    const hasher = new KeyHasher([secret]);
    expect(await hashes()).toEqual([{ key_hash: hasher.hash(user) }, { key_hash: hasher.hash(endpoint) }]);
  });

  it('should neither issue nor end a key without the secret of the catalog', async () => {
    const before = await hashes();
    await expect(issue({}, 'user', 'ada@example.org')).rejects.toThrow('exit code 2');
    await expect(issue({}, 'endpoint', 'National catalog')).rejects.toThrow('KEY_HASH_SECRET is not set');
    expect(await hashes()).toEqual(before);
  });
});
