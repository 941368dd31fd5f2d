import { until } from '../../../../../test/support/until.ts';
import { startAccessRequestServer, type AccessRequestServer } from '../../../test/access-request-system.js';
import {
  claimOf,
  outcomesOf,
  permissionsOf,
  postEntitlements,
  someone,
  startConfirmingCatalog,
  untilStatus,
  webhookOn,
  type ConfirmingCatalog,
} from '../../../test/access-requests.js';
import { globalKey, startCatalog } from '../../../test/catalog.js';

const past = '2020-01-01T00:00:00.000Z';
const future = '2100-01-01T00:00:00.000Z';

describe('the webhook when the user of the catalog may not read all entitlements in REMS', () => {
  let system: AccessRequestServer;
  let catalog: ConfirmingCatalog;

  beforeAll(async () => {
    catalog = await startConfirmingCatalog();
    ({ system } = catalog);
  });

  beforeEach(async () => {
    await catalog.dataSource.query('DELETE FROM refused_entitlements');
    system.roles = ['reporter'];
    system.hidesRoles = false;
    system.rows.length = 0;
  });

  afterAll(() => catalog.stop());

  const refused = async (): Promise<number> => {
    const [{ count }] = await catalog.dataSource.query<[{ count: number }]>(
      'SELECT count(*)::integer AS count FROM refused_entitlements',
    );
    return count;
  };
  const readiness = async (): Promise<[number, { status: string; dependencies: Record<string, string> }]> => {
    const response = await catalog.fetch('/health/ready');
    return [response.status, (await response.json()) as { status: string; dependencies: Record<string, string> }];
  };

  it.each([
    ['no role', [], false],
    ['the role of an applicant', ['applicant'], false],
    ['a role like a reading one', ['reporters', 'reviewer', 'user-owner'], false],
    ['no role, behind a proxy that hides roles', [], true],
  ])('should refute nothing, and make the sender repeat, when the user has %s', async (_, roles, hidesRoles) => {
    const user = someone();
    Object.assign(system, { roles, hidesRoles });
    system.rows.push(claimOf(user, future));
    const [status, { more, description }] = await postEntitlements(catalog, [claimOf(user, future)]);
    expect([status, more?.code, more?.results]).toMatchObject([
      503,
      'accessreq.no_rights',
      [{ outcome: 'unconfirmed' }],
    ]);
    expect(description).toContain('run "grant-role reporter <user>"');
    expect([await permissionsOf(catalog, user), await refused()]).toEqual([[], 0]);
    system.roles = ['reporter'];
    await untilStatus(catalog, user, 'active');
    expect(await permissionsOf(catalog, user)).toEqual(['RDC_1']);
  });

  it.each([['owner'], ['organization-owner'], ['handler'], ['reporter']])(
    'should confirm and refute claims when the user has the role %s',
    async (role) => {
      for (const hidesRoles of [false, true]) {
        const [known, unknown] = [someone(), someone()];
        Object.assign(system, { roles: [role], hidesRoles });
        system.rows.push(claimOf(known, future));
        expect(await outcomesOf(catalog, [claimOf(known, null), claimOf(unknown, future)])).toEqual([
          'granted',
          'refuted',
        ]);
      }
    },
  );

  it('should keep an access that REMS confirmed before, and end one that REMS revokes', async () => {
    const [kept, ended] = [someone(), someone()];
    system.rows.push(claimOf(kept, future), claimOf(ended, future));
    await outcomesOf(catalog, [claimOf(kept, future), claimOf(ended, future)]);
    system.roles = [];
    const [status] = await postEntitlements(catalog, [claimOf(kept, null), claimOf(ended, past)]);
    expect(status).toBe(503);
    expect([await permissionsOf(catalog, kept), await permissionsOf(catalog, ended)]).toEqual([['RDC_1'], []]);
  });

  it('should state the remedy when an administrator retries an access', async () => {
    const user = someone();
    system.roles = [];
    await postEntitlements(catalog, [claimOf(user, future)]);
    const [{ id }] = await catalog.dataSource.query<[{ id: number }]>('SELECT id FROM accesses WHERE subject = $1', [
      user,
    ]);
    const response = await catalog.fetch(`/api/admin/accesses/${String(id)}/retry`, { method: 'POST', key: globalKey });
    const { description } = (await response.json()) as { description: string };
    expect([response.status, description]).toEqual([503, expect.stringContaining('give the user the role reporter')]);
  });

  it('should stay ready, and report the missing role in readiness and metrics until it is granted', async () => {
    system.roles = [];
    await postEntitlements(catalog, [claimOf(someone(), future)]);
    const [status, { status: state, dependencies }] = await readiness();
    expect([status, state]).toEqual([200, 'degraded']);
    expect(dependencies['accessreq_rights']).toContain('give the user the role reporter');
    expect(await (await catalog.fetch('/metrics')).text()).toContain(
      'rdc_dependency_up{dependency="accessreq_rights",service="catalog-api"} 0',
    );
    system.roles = ['handler'];
    await until(async () => (await readiness())[1].status === 'ready');
    expect(await (await catalog.fetch('/metrics')).text()).toContain(
      'rdc_dependency_up{dependency="accessreq_rights",service="catalog-api"} 1',
    );
  });

  it('should check the rights when the service starts', async () => {
    const other = await startAccessRequestServer();
    const started = await startCatalog({ ...webhookOn, ...other.settings });
    await until(() => Promise.resolve(other.requests.length > 0));
    expect(other.requests[0]).toContain('/api/entitlements?user=catalog');
    await started.stop();
    await other.stop();
  });

  it('should report the rights as before when REMS does not answer', async () => {
    const other = await startAccessRequestServer();
    other.fail('reset');
    const started = await startCatalog({ ...webhookOn, ...other.settings });
    const response = await started.fetch('/health/ready');
    expect([response.status, await response.json()]).toMatchObject([200, { status: 'ready' }]);
    await started.stop();
    await other.stop();
  });
});
