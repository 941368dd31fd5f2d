import { KeyHasher } from '@rdc/auth';
import { UsageError } from '@rdc/cli';
import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { dataSourceOptions } from '../../platform/database/data-source.js';
import { catalogSettings } from '../../app/catalog.settings.js';
import { endpointKeyCommand, userKeyCommand } from './key.commands.js';
import { entities } from '../../app/entities.js';
import { commandContext } from '../../app/command-context.js';
import { DatabaseSettings } from '../../platform/database/database.settings.js';

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

  async function run(command: typeof userKeyCommand, args: string[], environment: object): Promise<string> {
    const lines: string[] = [];
    const settings = catalogSettings({ DATABASE_URL: database.url, ...environment });
    await command.run(
      args,
      commandContext(settings, (line) => lines.push(line)),
    );
    return lines.join('\n');
  }

  const hashes = (): Promise<unknown> =>
    dataSource.query(`SELECT key_hash FROM users UNION ALL SELECT key_hash FROM endpoint_keys`);

  it('should print a key that the catalog accepts with the same secret', async () => {
    const user = await run(userKeyCommand, ['Ada@example.org'], { KEY_HASH_SECRET: secret });
    const endpoint = await run(endpointKeyCommand, ['National catalog'], { KEY_HASH_SECRET: secret });
    const hasher = new KeyHasher([secret]);
    expect(await hashes()).toEqual([{ key_hash: hasher.hash(user) }, { key_hash: hasher.hash(endpoint) }]);
  });

  it('should neither issue nor end a key without the secret of the catalog', async () => {
    const before = await hashes();
    await expect(run(userKeyCommand, ['ada@example.org'], {})).rejects.toThrow(UsageError);
    await expect(run(endpointKeyCommand, ['National catalog'], {})).rejects.toThrow('KEY_HASH_SECRET is not set');
    expect(await hashes()).toEqual(before);
  });
});
