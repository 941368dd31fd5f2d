import { startFaultyScimServer, type FaultyScimServer } from '../../apps/catalog-api/test/scim-server.ts';
import { consoleSuite } from './support/console-suite.ts';
import { admin } from './support/console-system.ts';

const steward = { ...admin, login: 'steward@example.org' };
const nobody = { ...admin, login: 'nobody@example.org' };

interface Made {
  readonly id_at_source: string;
}

describe('the overview and the synchronisation of accounts in the console', () => {
  let scim: FaultyScimServer;
  const { system, visitor } = consoleSuite(async () => {
    scim = await startFaultyScimServer();
    await system.start(scim.settings);
    await system.addPerson(steward.login, ['data_steward']);
    await system.addPerson(nobody.login, []);
  });

  beforeEach(async () => {
    scim.fail(null);
    scim.accounts.clear();
    await system.catalog.dataSource.query('TRUNCATE account_syncs');
  });

  afterAll(() => scim.stop());

  const section = (heading: string) =>
    visitor.main.locator('section').filter({ has: visitor.page.getByRole('heading', { name: heading, exact: true }) });

  it('should synchronise, and report conflicts and an unreachable provider', async () => {
    scim.accounts.set('kc-1', { id: 'kc-1', email: 'one@example.org', givenName: 'One', familyName: 'Person' });
    scim.accounts.set('kc-2', { id: 'kc-2', email: admin.login });
    await visitor.signIn(admin, '/identity-sync');
    await visitor.reads('There was none yet');
    expect(await visitor.violations()).toEqual([]);
    await visitor.press('Synchronise now');
    await visitor.main.getByRole('row', { name: 'People added 1' }).waitFor();
    await visitor.row('kc-2').getByText(admin.login).waitFor();
    expect(await visitor.violations()).toEqual([]);
    scim.fail(500);
    await visitor.press('Synchronise now');
    await visitor.main.getByRole('alert').waitFor();
    await visitor.open('/users?source=identity_provider');
    await visitor.link('One Person').waitFor();
  });

  it('should require a confirmation before it deactivates many people', async () => {
    for (let at = 0; at < 12; at++) {
      scim.accounts.set(`many-${String(at)}`, { id: `many-${String(at)}`, email: `many${String(at)}@example.org` });
    }
    await system.send('POST', '/api/idp/force');
    scim.accounts.clear();
    await visitor.signIn(admin, '/identity-sync');
    await visitor.press('Synchronise now');
    await visitor.press('Deactivate them');
    await visitor.confirm('Deactivate them');
    await visitor.reads('No conflicts.');
    await visitor.main.getByRole('row', { name: /^Deactivated 1\d$/ }).waitFor();
  });

  it('should show the numbers of records with two requests, and link to the lists', async () => {
    const { id_at_source: id } = await system.send<Made>('POST', '/api/datasets', { name: 'Shown' });
    await system.send('POST', '/api/datasets', { name: 'Hidden' });
    await system.send('POST', '/api/admin/endpoints', { name: 'Portal' });
    await system.send('POST', `/api/datasets/${id}/exposures`, { endpoint: 'Portal', form_id: 3 });
    await system.provisioner.deliver('SUB-1', { 'DS-1/scan.raw': Buffer.alloc(2_000_000, 7) });
    const { body } = await system.provisioner.post('/datasets/srcsys/import', { dataset_id: 'DS-1' });
    await system.provisioner.ended(body.id);
    const asked: string[] = [];
    visitor.page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (/^\/(api|imports)/.test(pathname) && pathname !== '/api/session') asked.push(pathname);
    });
    await visitor.signIn(admin);
    await visitor.heading('Overview');
    await section('Catalog').getByText('1 of 2 published').waitFor();
    await section('Imports').getByText('2 MB', { exact: true }).waitFor();
    await section('Imports')
      .getByRole('img', { name: /1 dataset, 2 MB$/ })
      .waitFor();
    expect(asked.sort()).toEqual(['/api/admin/overview', '/imports']);
    expect(await visitor.violations()).toEqual([]);
    await section('Catalog').getByRole('link', { name: '1 not published' }).click();
    await visitor.heading('Datasets');
    await visitor.link('Hidden').waitFor();
    await visitor.gone(visitor.link('Shown'));
  });

  it('should show a steward the numbers without links to pages of administrators', async () => {
    await visitor.signIn(steward);
    await section('Accesses').getByText('In force').waitFor();
    await section('Catalog').getByRole('link').first().waitFor();
    await visitor.gone(section('Accesses').getByRole('link'));
    expect(await visitor.violations()).toEqual([]);
  });

  it('should show a person without a role the permitted actions, and send no forbidden request', async () => {
    const refused: string[] = [];
    visitor.page.on('response', (response) => {
      if (response.status() >= 400 && !response.url().endsWith('/api/session')) refused.push(response.url());
    });
    await visitor.signIn(nobody);
    await visitor.main.getByText('Ask an administrator for a role').waitFor();
    expect(await visitor.violations()).toEqual([]);
    expect(refused).toEqual([]);
  });

  it('should fit on a phone', async () => {
    await visitor.page.setViewportSize({ width: 390, height: 844 });
    await visitor.signIn();
    await section('Imports').waitFor();
    await section('Terms').waitFor();
    await visitor.fits();
    expect(await visitor.violations()).toEqual([]);
  });
});
