import type { AccessRequestServer } from '../../../test/access-request-system.js';
import {
  claimOf,
  outcomesOf,
  permissionsOf,
  someone,
  startConfirmingCatalog,
  untilStatus,
  type ConfirmingCatalog,
} from '../../../test/access-requests.js';
import { startFaultyScimServer, type FaultyScimServer } from '../../../test/scim-server.js';
import { startServer } from '../../app/server.js';
import { AccessRequestService } from './accessreq.service.js';

const past = '2020-01-01T00:00:00.000Z';
const future = '2100-01-01T00:00:00.000Z';
const later = '2101-01-01T00:00:00.000Z';

describe('POST /api/accessreq with an access-request system to ask', () => {
  let system: AccessRequestServer;
  let catalog: ConfirmingCatalog;

  beforeAll(async () => {
    catalog = await startConfirmingCatalog();
    ({ system } = catalog);
  });

  afterEach(() => {
    system.fail(null);
    system.roles = ['reporter'];
    system.rows.length = 0;
  });

  afterAll(() => catalog.stop());

  it('should grant a confirmed claim with the confirmed end', async () => {
    const user = someone();
    system.rows.push(claimOf(user, future));
    expect(await outcomesOf(catalog, [claimOf(user, null)])).toEqual(['granted']);
    expect(await permissionsOf(catalog, user)).toEqual(['RDC_1']);
    const access = `SELECT expires_at, confirmation_due, confirmed_at IS NOT NULL AS confirmed FROM accesses WHERE subject = $1`;
    expect(await catalog.dataSource.query(access, [user])).toEqual([
      { expires_at: new Date(future), confirmation_due: false, confirmed: true },
    ]);
    expect(await outcomesOf(catalog, [claimOf(user, null)])).toEqual(['unchanged']);
  });

  it('should create no access for a refuted claim', async () => {
    const user = someone();
    system.rows.push({ ...claimOf(user, future), application: 2 }, { ...claimOf(user, future), resource: 'RDC_2' });
    expect(await outcomesOf(catalog, [claimOf(user, future)])).toEqual(['refuted']);
    expect(await catalog.dataSource.query('SELECT 1 FROM accesses WHERE subject = $1', [user])).toEqual([]);
  });

  it('should end an access without an entitlement, and keep an access with an entitlement', async () => {
    const user = someone();
    system.rows.push(claimOf(user, future));
    await outcomesOf(catalog, [claimOf(user, future)]);
    expect(await outcomesOf(catalog, [claimOf(user, past)])).toEqual(['unchanged']);
    expect(await permissionsOf(catalog, user)).toEqual(['RDC_1']);
    system.rows.length = 0;
    expect(await outcomesOf(catalog, [claimOf(user, future)])).toEqual(['revoked']);
    expect(await permissionsOf(catalog, user)).toEqual([]);
  });

  it('should revive an ended access when a single open row is confirmed', async () => {
    const user = someone();
    system.rows.push(claimOf(user, past));
    expect(await outcomesOf(catalog, [claimOf(user, past)])).toEqual(['revoked']);
    expect(await outcomesOf(catalog, [claimOf(user, future)])).toEqual(['unchanged']);
    system.rows.push(claimOf(user, future));
    expect(await outcomesOf(catalog, [claimOf(user, future)])).toEqual(['granted']);
    expect(await permissionsOf(catalog, user)).toEqual(['RDC_1']);
  });

  it.each(['hang', 'reset', 'html', 401, 500] as const)(
    'should answer 200 during the failure %s, and grant nothing before the confirmation',
    async (fault) => {
      const user = someone();
      system.rows.push(claimOf(user, future));
      system.fail(fault);
      expect(await outcomesOf(catalog, [claimOf(user, future)])).toEqual(['unconfirmed']);
      expect(await permissionsOf(catalog, user)).toEqual([]);
      const status = 'SELECT status FROM accesses WHERE subject = $1';
      expect(await catalog.dataSource.query(status, [user])).toEqual([{ status: 'precreated' }]);
      system.fail(null);
      await untilStatus(catalog, user, 'active');
      expect(await permissionsOf(catalog, user)).toEqual(['RDC_1']);
    },
  );

  it('should end an access, but not prolong one, without a confirmation', async () => {
    const user = someone();
    system.rows.push(claimOf(user, future));
    await outcomesOf(catalog, [claimOf(user, future)]);
    system.fail(500);
    expect(await outcomesOf(catalog, [claimOf(user, later)])).toEqual(['unconfirmed']);
    expect(await outcomesOf(catalog, [claimOf(user, future)])).toEqual(['unchanged']);
    expect(await outcomesOf(catalog, [claimOf(user, past)])).toEqual(['revoked']);
    expect(await permissionsOf(catalog, user)).toEqual([]);
    expect(await outcomesOf(catalog, [claimOf(user, future)])).toEqual(['unconfirmed']);
    expect(await permissionsOf(catalog, user)).toEqual([]);
    system.fail(null);
    await untilStatus(catalog, user, 'active'); // the revocation was forged: it is not confirmed
  });

  it('should request the confirmation immediately on a retry', async () => {
    const user = someone();
    system.fail(500);
    await outcomesOf(catalog, [claimOf(user, future)]);
    system.fail(null);
    system.rows.push(claimOf(user, future));
    const [{ id }] = await catalog.dataSource.query<[{ id: number }]>('SELECT id FROM accesses WHERE subject = $1', [
      user,
    ]);
    expect(await catalog.app.get(AccessRequestService).retry(id)).toBe('active');
    await expect(catalog.app.get(AccessRequestService).retry(2_000_000)).rejects.toThrow('access');
  });
});

describe('a confirmation together with an identity provider', () => {
  let scim: FaultyScimServer;
  let system: AccessRequestServer;
  let catalog: ConfirmingCatalog;

  beforeEach(async () => {
    scim = await startFaultyScimServer([
      { id: 'ada', email: 'ada@example.org' },
      { id: 'bob', email: 'bob@example.org' },
    ]);
    catalog = await startConfirmingCatalog(scim.settings);
    ({ system } = catalog);
  });

  afterEach(async () => {
    await catalog.stop();
    await scim.stop();
  });

  it('should activate an access only with the confirmation and the person', async () => {
    system.rows.push(claimOf('ada', future));
    expect(await outcomesOf(catalog, [claimOf('ada', future)])).toEqual(['granted']);
    expect(await permissionsOf(catalog, 'ada')).toEqual(['RDC_1']);
  });

  it('should answer while both systems hang, and continue after a restart', async () => {
    system.rows.push(claimOf('bob', future));
    system.fail('hang');
    scim.fail('hang');
    expect(await outcomesOf(catalog, [claimOf('bob', future)])).toEqual(['unconfirmed']);
    await catalog.app.close();
    system.fail(null);
    scim.fail(null);
    const again = await startServer(catalog.environment);
    await untilStatus(catalog, 'bob', 'active');
    await again.close();
  });
});
