import { startAccessRequestServer, type AccessRequestServer } from '../../../test/access-request-system.js';
import { addDatasets, outcomesOf, permissionsOf, untilStatus, webhookOn } from '../../../test/access-requests.js';
import { startCatalog, type RunningCatalog } from '../../../test/catalog.js';
import { startFaultyScimServer, type FaultyScimServer } from '../../../test/scim-server.js';
import { startServer } from '../../app/server.js';
import { AccessRequestService } from './accessreq.service.js';

const past = '2020-01-01T00:00:00.000Z';
const future = '2100-01-01T00:00:00.000Z';
const later = '2101-01-01T00:00:00.000Z';

describe('POST /api/accessreq with an access-request system to ask', () => {
  let system: AccessRequestServer;
  let catalog: RunningCatalog;
  let people = 0;

  beforeAll(async () => {
    system = await startAccessRequestServer();
    catalog = await startCatalog({ ...webhookOn, ...system.settings });
    await addDatasets(catalog);
  });

  afterEach(() => {
    system.fail(null);
    system.roles = ['reporter'];
    system.rows.length = 0;
  });

  afterAll(async () => {
    await catalog.stop();
    await system.stop();
  });

  const someone = (): string => `person-${String(++people)}`;
  const row = (
    user: string,
    end: string | null,
  ): { application: number; resource: string; user: string; end: string | null } => ({
    application: 1,
    resource: 'RDC_1',
    user,
    end,
  });

  it('should grant a confirmed claim with the confirmed end', async () => {
    const user = someone();
    system.rows.push(row(user, future));
    expect(await outcomesOf(catalog, [row(user, null)])).toEqual(['granted']);
    expect(await permissionsOf(catalog, user)).toEqual(['RDC_1']);
    const access = `SELECT expires_at, confirmation_due, confirmed_at IS NOT NULL AS confirmed FROM accesses WHERE subject = $1`;
    expect(await catalog.dataSource.query(access, [user])).toEqual([
      { expires_at: new Date(future), confirmation_due: false, confirmed: true },
    ]);
    expect(await outcomesOf(catalog, [row(user, null)])).toEqual(['unchanged']);
  });

  it('should create no access for a refuted claim', async () => {
    const user = someone();
    system.rows.push({ ...row(user, future), application: 2 }, { ...row(user, future), resource: 'RDC_2' });
    expect(await outcomesOf(catalog, [row(user, future)])).toEqual(['refuted']);
    expect(await catalog.dataSource.query('SELECT 1 FROM accesses WHERE subject = $1', [user])).toEqual([]);
  });

  it('should end an access without an entitlement, and keep an access with an entitlement', async () => {
    const user = someone();
    system.rows.push(row(user, future));
    await outcomesOf(catalog, [row(user, future)]);
    expect(await outcomesOf(catalog, [row(user, past)])).toEqual(['unchanged']);
    expect(await permissionsOf(catalog, user)).toEqual(['RDC_1']);
    system.rows.length = 0;
    expect(await outcomesOf(catalog, [row(user, future)])).toEqual(['revoked']);
    expect(await permissionsOf(catalog, user)).toEqual([]);
  });

  it('should revive an ended access when a single open row is confirmed', async () => {
    const user = someone();
    system.rows.push(row(user, past));
    expect(await outcomesOf(catalog, [row(user, past)])).toEqual(['revoked']);
    expect(await outcomesOf(catalog, [row(user, future)])).toEqual(['unchanged']);
    system.rows.push(row(user, future));
    expect(await outcomesOf(catalog, [row(user, future)])).toEqual(['granted']);
    expect(await permissionsOf(catalog, user)).toEqual(['RDC_1']);
  });

  it.each(['hang', 'reset', 'html', 401, 500] as const)(
    'should answer 200 during the failure %s, and grant nothing before the confirmation',
    async (fault) => {
      const user = someone();
      system.rows.push(row(user, future));
      system.fail(fault);
      expect(await outcomesOf(catalog, [row(user, future)])).toEqual(['unconfirmed']);
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
    system.rows.push(row(user, future));
    await outcomesOf(catalog, [row(user, future)]);
    system.fail(500);
    expect(await outcomesOf(catalog, [row(user, later)])).toEqual(['unconfirmed']);
    expect(await outcomesOf(catalog, [row(user, future)])).toEqual(['unchanged']);
    expect(await outcomesOf(catalog, [row(user, past)])).toEqual(['revoked']);
    expect(await permissionsOf(catalog, user)).toEqual([]);
    expect(await outcomesOf(catalog, [row(user, future)])).toEqual(['unconfirmed']);
    expect(await permissionsOf(catalog, user)).toEqual([]);
    system.fail(null);
    await untilStatus(catalog, user, 'active'); // the revocation was forged: it is not confirmed
  });

  it('should request the confirmation immediately on a retry', async () => {
    const user = someone();
    system.fail(500);
    await outcomesOf(catalog, [row(user, future)]);
    system.fail(null);
    system.rows.push(row(user, future));
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
  let catalog: RunningCatalog;

  beforeEach(async () => {
    scim = await startFaultyScimServer([
      { id: 'ada', email: 'ada@example.org' },
      { id: 'bob', email: 'bob@example.org' },
    ]);
    system = await startAccessRequestServer();
    catalog = await startCatalog({ ...webhookOn, ...scim.settings, ...system.settings });
    await addDatasets(catalog);
  });

  afterEach(async () => {
    await catalog.stop();
    await system.stop();
    await scim.stop();
  });

  const claim = (user: string): { application: number; resource: string; user: string; end: string } => ({
    application: 1,
    resource: 'RDC_1',
    user,
    end: future,
  });

  it('should activate an access only with the confirmation and the person', async () => {
    system.rows.push(claim('ada'));
    expect(await outcomesOf(catalog, [claim('ada')])).toEqual(['granted']);
    expect(await permissionsOf(catalog, 'ada')).toEqual(['RDC_1']);
  });

  it('should answer while both systems hang, and continue after a restart', async () => {
    system.rows.push(claim('bob'));
    system.fail('hang');
    scim.fail('hang');
    expect(await outcomesOf(catalog, [claim('bob')])).toEqual(['unconfirmed']);
    await catalog.app.close();
    system.fail(null);
    scim.fail(null);
    const again = await startServer(catalog.environment);
    await untilStatus(catalog, 'bob', 'active');
    await again.close();
  });
});
