import { createTestStore, type TestStore } from '../../../test/store.js';
import { MigrationsProbe } from './migrations.probe.js';

describe(MigrationsProbe.name, () => {
  let store: TestStore;
  let probe: MigrationsProbe;

  beforeAll(async () => {
    store = await createTestStore();
    probe = new MigrationsProbe(store.dataSource);
  });

  afterAll(() => store.drop());

  it('should name the missing migration when a restored database lacks one', async () => {
    await expect(probe.check()).resolves.toBeUndefined();
    const [last] = await store.dataSource.query<{ id: number; name: string }[]>(
      'SELECT id, name FROM migrations ORDER BY id DESC LIMIT 1',
    );
    await store.dataSource.query('UPDATE migrations SET name = $1 WHERE id = $2', ['of another release', last?.id]);
    await expect(probe.check()).rejects.toThrow(`lacks the migrations ${String(last?.name)}: run "node`);
    await store.dataSource.query('UPDATE migrations SET name = $1 WHERE id = $2', [last?.name, last?.id]);
    await expect(probe.check()).resolves.toBeUndefined();
  });

  it('should report ready when the database has migrations of a newer release', async () => {
    await store.dataSource.query(
      `INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'of the next release')`,
    );
    await expect(probe.check()).resolves.toBeUndefined();
    await store.dataSource.query(`DELETE FROM migrations WHERE timestamp = 9999999999999`);
  });
});
