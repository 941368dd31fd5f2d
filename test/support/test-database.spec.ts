import { Client } from 'pg';
import { createTestDatabase } from './test-database.ts';

describe(createTestDatabase.name, () => {
  it('should create an empty database of Postgres 18 for each caller, and remove it', async () => {
    const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    expect(await rows(one.url, 'CREATE TABLE mine AS SELECT current_setting($$server_version$$) AS version')).toEqual(
      [],
    );
    expect(await rows(one.url, 'SELECT version LIKE $$18.%$$ AS is18 FROM mine')).toEqual([{ is18: true }]);
    await expect(rows(other.url, 'SELECT version FROM mine')).rejects.toThrow('"mine" does not exist');
    await Promise.all([one.drop(), other.drop()]);
    await expect(rows(one.url, 'SELECT 1')).rejects.toThrow('does not exist');
  });

  it('should copy a template, and support the extensions of the catalog', async () => {
    const template = await createTestDatabase();
    await rows(template.url, 'CREATE EXTENSION pg_trgm; CREATE EXTENSION unaccent; CREATE EXTENSION btree_gin');
    const copy = await createTestDatabase(new URL(template.url).pathname.slice(1));
    expect(await rows(copy.url, 'SELECT lower(unaccent($$Épilepsie$$)) AS word')).toEqual([{ word: 'epilepsie' }]);
    await Promise.all([template.drop(), copy.drop()]);
  });
});

async function rows(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
