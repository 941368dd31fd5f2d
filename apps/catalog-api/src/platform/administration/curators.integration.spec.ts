import { administered, type Administered } from '../../../test/administered.js';
import { hashQuickly } from '../../../test/people.js';
import { Browser } from '../../../test/support/browser.js';

const login = 'steward@example.org';
const password = 'correct horse battery staple';

describe('/api/admin as a data steward', () => {
  let catalog: Administered;
  let steward: Browser;

  beforeAll(async () => {
    catalog = await administered();
    await catalog.dataSource.query(
      `INSERT INTO users (last_name, email, password_hash, roles) VALUES ('Steward', $1, $2, '{data_steward}')`,
      [login, await hashQuickly(password)],
    );
    steward = new Browser(catalog.url);
    await steward.signIn(login, password);
  });

  afterAll(() => catalog.stop());

  it.each(['endpoints', 'platforms'])('should list the %s and refuse every other operation on them', async (list) => {
    const path = `/api/admin/${list}`;
    expect((await steward.fetch(path)).status).toBe(200);
    expect((await steward.fetch(`${path}/1`)).status).toBe(403);
    expect((await steward.fetch(path, { method: 'POST', json: { name: 'Mine' } })).status).toBe(403);
  });

  it('should refuse the lists of users, grants, accesses and refused entitlements', async () => {
    for (const list of ['users', 'grants', 'accesses', 'refused-entitlements']) {
      expect([list, (await steward.fetch(`/api/admin/${list}`)).status]).toEqual([list, 403]);
    }
  });
});
