import { addDatasets, outcomesOf, permissionsOf, untilStatus, webhookOn } from '../../../test/access-requests.js';
import { freePort } from '../../../../../scripts/free-port.ts';
import { globalKey, startCatalog, type RunningCatalog } from '../../../test/catalog.js';
import { startFaultyScimServer, type FaultyScimServer } from '../../../test/scim-server.js';
import { startServer } from '../../app/server.js';

const past = '2020-01-01T00:00:00.000Z';
const future = '2100-01-01T00:00:00.000Z';

describe('POST /api/accessreq with an identity provider', () => {
  let scim: FaultyScimServer;
  let catalog: RunningCatalog;

  beforeEach(async () => {
    scim = await startFaultyScimServer([
      { id: 'ada', email: 'Ada@example.org', givenName: 'Ada', familyName: 'Byron' },
      { id: 'off', email: 'off@example.org', active: false },
      { id: 'machine' },
    ]);
    catalog = await startCatalog({ ...webhookOn, ...scim.settings });
    await addDatasets(catalog);
  });

  afterEach(async () => {
    await catalog.stop();
    await scim.stop();
  });

  const claim = (user: string, mail: string | null = null): object => ({
    application: 1,
    resource: 'RDC_1',
    user,
    mail,
    end: future,
  });

  it('should activate the access of a known account, and create a user', async () => {
    expect(await outcomesOf(catalog, [claim('ada')])).toEqual(['granted']);
    expect(await permissionsOf(catalog, 'ada')).toEqual(['RDC_1']);
    const users = await catalog.dataSource.query<unknown[]>(
      `SELECT subject, email, first_name, last_name FROM users WHERE subject = 'ada'`,
    );
    expect(users).toEqual([{ subject: 'ada', email: 'Ada@example.org', first_name: 'Ada', last_name: 'Byron' }]);
  });

  it.each(['nobody', 'off', 'machine'])('should keep the access of %s waiting', async (subject) => {
    expect(await outcomesOf(catalog, [claim(subject)])).toEqual(['precreated']);
    expect(await permissionsOf(catalog, subject)).toEqual([]);
  });

  it('should not assign an access by the e-mail address', async () => {
    expect(await outcomesOf(catalog, [claim('intruder', 'ada@example.org')])).toEqual(['precreated']);
    const [access] = await catalog.dataSource.query<{ user_id: number | null }[]>(
      `SELECT user_id FROM accesses WHERE subject = 'intruder'`,
    );
    expect(access?.user_id).toBeNull();
  });

  it.each(['hang', 'reset', 500] as const)(
    'should answer 200 while the provider fails with %s, and activate the access after the failure',
    async (fault) => {
      const subject = `waits-${String(fault)}`;
      scim.accounts.set(subject, { id: subject, email: `${subject}@example.org` });
      scim.fail(fault);
      expect(await outcomesOf(catalog, [claim(subject)])).toEqual(['precreated']);
      expect(await permissionsOf(catalog, subject)).toEqual([]);
      scim.fail(null);
      await untilStatus(catalog, subject, 'active');
      expect(await permissionsOf(catalog, subject)).toEqual(['RDC_1']);
    },
    30_000,
  );

  it('should revoke an access immediately when the provider is down', async () => {
    scim.fail(500);
    expect(await outcomesOf(catalog, [{ ...claim('ada'), end: past }])).toEqual(['revoked']);
    expect(await permissionsOf(catalog, 'ada')).toEqual([]);
  });

  it('should answer 200 when the connection to the provider is refused', async () => {
    const url = `http://127.0.0.1:${String(await freePort())}/scim/v2`;
    const alone = await startCatalog({ ...webhookOn, ...scim.settings, SCIM_URL: url });
    await addDatasets(alone);
    expect(await outcomesOf(alone, [claim('ada')])).toEqual(['precreated']);
    await alone.stop();
  });

  it.each([
    ['the provider was down', 'dot', 500],
    ['the provider did not know the person', 'eve', null],
  ] as const)('should activate an access after a restart when it waited because %s', async (_, subject, fault) => {
    const first = await startCatalog({ ...webhookOn, ...scim.settings });
    await addDatasets(first);
    scim.fail(fault);
    expect(await outcomesOf(first, [claim(subject)])).toEqual(['precreated']);
    await first.app.close();
    scim.fail(null);
    scim.accounts.set(subject, { id: subject, email: `${subject}@example.org` });
    const again = await startServer(first.environment);
    await untilStatus(first, subject, 'active');
    const { port } = again.getHttpServer().address() as { port: number };
    const permissions = await fetch(`http://127.0.0.1:${String(port)}/api/permissions/${subject}`, {
      headers: { 'X-API-Key': globalKey },
    });
    expect(await permissions.json()).toEqual(['RDC_1']);
    await again.close();
    await first.stop();
  });
});
