import { administered, type Administered } from '../../../test/administered.js';
import { signedInWith } from '../../../test/signed-in.js';
import type { Browser } from '../../../test/support/browser.js';

describe('/api/admin as a data steward', () => {
  let catalog: Administered;
  let steward: Browser;

  beforeAll(async () => {
    catalog = await administered();
    steward = await signedInWith(catalog, 'data_steward');
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
