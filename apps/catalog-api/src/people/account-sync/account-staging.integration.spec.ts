import { createTestStore, type TestStore } from '../../../test/store.js';
import { AccountStaging } from './account-staging.js';
import type { Account } from '../identity-provider/identity-provider.js';

describe(AccountStaging.name, () => {
  let store: TestStore;

  beforeAll(async () => {
    store = await createTestStore();
  });

  afterAll(() => store.drop());

  const account = (subject: string): Account => ({
    subject,
    email: `${subject}@example.org`,
    firstName: null,
    lastName: null,
    verified: true,
    enabled: true,
  });

  it('should match accounts with the users at the time of the import', async () => {
    await store.dataSource.query(
      `INSERT INTO users (id, subject, email) VALUES (801, 'leaves', 'leaves@example.org'), (802, 'stays', 'stays@example.org')`,
    );
    const runner = store.dataSource.createQueryRunner();
    const staging = new AccountStaging(runner.manager);
    await staging.open();
    await staging.add(['leaves', 'stays', 'comes'].map(account));
    await store.dataSource.query(`UPDATE users SET subject = 'another', email = 'another@example.org' WHERE id = 801`);
    await store.dataSource.query(`INSERT INTO users (id, subject, email) VALUES (900, 'comes', 'comes@example.org')`);
    await staging.complete();
    await runner.startTransaction();
    expect(await staging.apply([])).toMatchObject({ created: 1, updated: 0, unchanged: 2, conflicts: [] });
    await runner.commitTransaction();
    await staging.close();
    await runner.release();
    const subjects = ['another', 'comes', 'leaves', 'stays'];
    const users: unknown = await store.dataSource.query(
      'SELECT subject, email FROM users WHERE subject = ANY($1) ORDER BY subject',
      [subjects],
    );
    expect(users).toEqual(subjects.map((subject) => ({ subject, email: `${subject}@example.org` })));
  });

  it('should remove characters that no column can store, and skip an account with such an identifier', async () => {
    const runner = store.dataSource.createQueryRunner();
    const staging = new AccountStaging(runner.manager);
    await staging.open();
    await staging.add([
      { ...account('odd'), firstName: '\ud83dAda\0', lastName: '\udc00' },
      { ...account('long'), firstName: `${'a'.repeat(254)}\u{1f600}` },
      account('half\ud83d'),
      account('nul\0'),
    ]);
    await staging.complete();
    await runner.startTransaction();
    const { created, conflicts } = await staging.apply([]);
    expect([created, conflicts.map(({ subject }) => subject)]).toEqual([2, ['half', 'nul']]);
    await runner.commitTransaction();
    await staging.close();
    await runner.release();
    const names: unknown = await store.dataSource.query(
      `SELECT first_name, last_name FROM users WHERE subject IN ('odd', 'long') ORDER BY subject DESC`,
    );
    expect(names).toEqual([
      { first_name: 'Ada', last_name: '' },
      { first_name: 'a'.repeat(254), last_name: '' },
    ]);
  });
});
