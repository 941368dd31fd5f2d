import { until } from '../../../../../test/support/until.ts';
import { startCatalog, type RunningCatalog } from '../../../test/catalog.js';
import { startFaultyScimServer, type FaultyScimServer } from '../../../test/scim-server.js';
import { startServer } from '../../app/server.js';
import { catalogSettings } from '../../app/catalog.settings.js';
import { AccountSyncSchedule } from './account-sync.schedule.js';
import { AccountSyncService } from './account-sync.service.js';
import { IdentityProviderSettings } from '../identity-provider/identity-provider.settings.js';

describe('IDP_SYNC_CRON', () => {
  let scim: FaultyScimServer;

  beforeEach(async () => {
    scim = await startFaultyScimServer([{ id: 'ada', email: 'ada@example.org' }]);
  });

  afterEach(() => scim.stop());

  /** Returns settings with a schedule in seconds, which the validation of settings refuses. */
  function withSeconds({ environment }: RunningCatalog, pattern: string): IdentityProviderSettings {
    const schedule = { IDP_SYNC_CRON: { value: pattern } };
    return Object.create(
      catalogSettings(environment).get(IdentityProviderSettings),
      schedule,
    ) as IdentityProviderSettings;
  }

  function hasSynchronised({ dataSource }: RunningCatalog): Promise<void> {
    return until(async () => (await dataSource.query<unknown[]>('SELECT 1 FROM account_syncs')).length > 0);
  }

  it('should synchronise at the scheduled time', async () => {
    const catalog = await startCatalog(scim.settings);
    const schedule = catalog.app.get(AccountSyncSchedule);
    Object.assign(schedule, { settings: withSeconds(catalog, '* * * * * *') });
    schedule.onApplicationBootstrap();
    await hasSynchronised(catalog);
    expect(await catalog.dataSource.query('SELECT subject FROM users')).toEqual([{ subject: 'ada' }]);
    await catalog.stop();
  });

  it('should synchronise once when two replicas have the same schedule', async () => {
    const catalog = await startCatalog(scim.settings);
    const replica = await startServer(catalog.environment);
    const at = new Date(Date.now() + 2000);
    const pattern = `${String(at.getUTCSeconds())} ${String(at.getUTCMinutes())} ${String(at.getUTCHours())} * * *`;
    const settings = withSeconds(catalog, pattern);
    const schedules = [catalog.app, replica].map(
      (app) => new AccountSyncSchedule(settings, app.get(AccountSyncService)),
    );
    for (const schedule of schedules) schedule.onApplicationBootstrap();
    await hasSynchronised(catalog);
    for (const schedule of schedules) await schedule.onApplicationShutdown();
    expect(scim.requests).toHaveLength(1);
    await replica.close();
    await catalog.stop();
  });

  it('should synchronise once for all replicas, and again when the first replica fails', async () => {
    const catalog = await startCatalog(scim.settings);
    const replica = await startServer(catalog.environment);
    const [one, two] = [catalog.app, replica].map((app) => app.get(AccountSyncService));
    const at = new Date();
    scim.fail(500);
    await expect(one?.runScheduled(at)).rejects.toThrow('does not answer');
    scim.fail(null);
    scim.requests.length = 0;
    const [first, second] = await Promise.all([one?.runScheduled(at), two?.runScheduled(at)]);
    expect([first, await one?.runScheduled(at)]).toEqual([second, second]);
    expect(scim.requests).toHaveLength(1);
    await one?.runScheduled(new Date(Date.now() + 1000));
    expect(scim.requests).toHaveLength(2);
    await replica.close();
    await catalog.stop();
  });

  it.each([
    ['soon', 'scim', 'IDP_SYNC_CRON must be five cron fields'],
    ['61 * * * *', 'scim', 'IDP_SYNC_CRON must be five cron fields'],
    ['0 0 3 * * *', 'scim', 'IDP_SYNC_CRON must be five cron fields'],
    ['0 0 31 4,6 *', 'scim', 'IDP_SYNC_CRON must be five cron fields'],
    ['0 3 * * *', 'none', 'IDP_PROVIDER must be keycloak or scim'],
  ])('should refuse the pattern %j when IDP_PROVIDER is %s', (pattern, provider, problem) => {
    const environment = { DATABASE_URL: 'postgres://host/name', ...scim.settings, IDP_PROVIDER: provider };
    expect(() => catalogSettings({ ...environment, IDP_SYNC_CRON: pattern })).toThrow(problem);
  });
});
