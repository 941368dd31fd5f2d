import { startCatalog, type RunningCatalog } from '../../../test/catalog.js';
import { AccountsRepository } from './accounts.repository.js';
import type { Account } from '../identity-provider/identity-provider.js';

const ada: Account = {
  subject: 'ada',
  email: 'ada@example.org',
  firstName: 'Ada',
  lastName: null,
  verified: true,
  enabled: true,
};

describe('importing one account', () => {
  let catalog: RunningCatalog;
  let accounts: AccountsRepository;

  beforeAll(async () => {
    catalog = await startCatalog();
    accounts = catalog.app.get(AccountsRepository);
    await catalog.dataSource.query(
      `INSERT INTO datasets (external_id, name, uuid) VALUES ('RDC_1', 'One', gen_random_uuid())`,
    );
  });

  beforeEach(async () => {
    await catalog.dataSource.query('TRUNCATE users, accesses CASCADE');
    await catalog.dataSource.query(
      `INSERT INTO accesses (dataset_id, application, subject, confirmation_due)
       SELECT id, application, subject, due FROM datasets,
              (VALUES (1, 'ada', false), (2, 'ada', true), (1, 'bob', false)) AS waiting (application, subject, due)`,
    );
  });

  afterAll(() => catalog.stop());

  const people = (): Promise<unknown[]> =>
    catalog.dataSource.query('SELECT subject, email, first_name, last_name, active FROM users ORDER BY id');
  const inForce = (): Promise<unknown[]> =>
    catalog.dataSource.query(
      `SELECT application, accesses.subject FROM accesses JOIN users ON users.id = user_id WHERE status = 'active'`,
    );
  const trail = async (): Promise<string[]> =>
    (
      await catalog.dataSource.query<{ entry: string }[]>(
        `SELECT action || ' ' || resource AS entry FROM audit_entries
          WHERE actor = 'idp-sync' AND (resource, record_id) IN
                (SELECT 'users', id::text FROM users UNION ALL SELECT 'accesses', id::text FROM accesses) ORDER BY entry`,
      )
    ).map(({ entry }) => entry);

  it('should create a user for a new account, and activate the accesses that wait only for the person', async () => {
    expect(await accounts.importAccount(ada)).toBe(true);
    expect(await people()).toEqual([
      { subject: 'ada', email: 'ada@example.org', first_name: 'Ada', last_name: '', active: true },
    ]);
    expect(await inForce()).toEqual([{ application: 1, subject: 'ada' }]);
    expect(await trail()).toEqual(['activate accesses', 'create users']);
  });

  it('should create one user when many calls import the same account at the same time', async () => {
    const adopted = await Promise.all(Array.from({ length: 10 }, () => accounts.importAccount(ada)));
    expect(new Set(adopted)).toEqual(new Set([true]));
    expect(await people()).toHaveLength(1);
    expect(await trail()).toEqual(['activate accesses', 'create users']);
  });

  it.each([
    ['is stored with the same values', `('ada', 'ada@example.org', 'Ada', 'Byron', NULL, true)`, true],
    ['has another address and name', `('ada', 'old@example.org', 'A.', 'Byron', NULL, true)`, true],
    ['is stored with the address only', `(NULL, 'ADA@Example.org', 'Ada', 'Byron', NULL, true)`, true],
    ['was deactivated here', `('ada', 'ada@example.org', 'Ada', 'Byron', NULL, false)`, false],
    ['has the address of a local login', `(NULL, 'ada@example.org', 'Ada', 'Byron', 'hash', true)`, false],
    ['has the address of another person', `('eve', 'ADA@example.org', 'Eve', 'Byron', NULL, true)`, false],
  ])('should keep members that the account does not have when the person %s', async (_, user, adopted) => {
    await catalog.dataSource.query(
      `INSERT INTO users (subject, email, first_name, last_name, password_hash, active) VALUES ${user}`,
    );
    const before = await people();
    expect(await accounts.importAccount(ada)).toBe(adopted);
    const after = { subject: 'ada', email: 'ada@example.org', first_name: 'Ada', last_name: 'Byron', active: true };
    expect(await people()).toEqual(adopted ? [after] : before);
    expect(await inForce()).toEqual(adopted ? [{ application: 1, subject: 'ada' }] : []);
  });

  it.each([
    ['unverified', { verified: false }],
    ['disabled', { enabled: false }],
    ['without an address', { email: null }],
    ['with an address that is too long', { email: `${'x'.repeat(255)}@example.org` }],
    ['without an identifier', { subject: '' }],
  ])('should not import an account that is %s', async (_, change) => {
    expect(await accounts.importAccount({ ...ada, ...change })).toBe(false);
    expect([await people(), await inForce()]).toEqual([[], []]);
  });
});
