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

  it('should say which migration a restored database misses, and be content once it has it', async () => {
    await expect(probe.check()).resolves.toBeUndefined();
    const [last] = await store.dataSource.query<{ id: number; name: string }[]>(
      'SELECT id, name FROM migrations ORDER BY id DESC LIMIT 1',
    );
    await store.dataSource.query('UPDATE migrations SET name = $1 WHERE id = $2', ['of another release', last?.id]);
    await expect(probe.check()).rejects.toThrow(`misses ${String(last?.name)}: run "node`);
    await store.dataSource.query('UPDATE migrations SET name = $1 WHERE id = $2', [last?.name, last?.id]);
    await expect(probe.check()).resolves.toBeUndefined();
  });

  it('should be content with a newer schema, beside which the former release goes on answering', async () => {
    await store.dataSource.query(
      `INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'of the next release')`,
    );
    await expect(probe.check()).resolves.toBeUndefined();
  });
});
