import { globalKey } from '../../apps/catalog-api/test/catalog.ts';
import { startFaultyScimServer, type FaultyScimServer } from '../../apps/catalog-api/test/scim-server.ts';
import { admin, ConsoleSystem } from './support/console-system.ts';
import { Visitor } from './support/visitor.ts';

const steward = { ...admin, login: 'steward@example.org' };
const nobody = { ...admin, login: 'nobody@example.org' };

describe('the overview and the synchronisation of accounts in the console', () => {
  let scim: FaultyScimServer;
  let system: ConsoleSystem;
  let visitor: Visitor;

  beforeAll(async () => {
    scim = await startFaultyScimServer();
    system = await ConsoleSystem.start(scim.settings);
    await system.addPerson(steward.login, ['data_steward']);
    await system.addPerson(nobody.login, []);
  });

  beforeEach(async () => {
    visitor = await Visitor.come(system.origin);
  });

  afterEach(async () => {
    await visitor.leave();
    expect(visitor.complaints).toEqual([]);
  });

  afterAll(async () => {
    await system.stop();
    await scim.stop();
  });

  const main = () => visitor.page.getByRole('main');
  const section = (heading: string) =>
    main()
      .locator('section')
      .filter({ has: visitor.page.getByRole('heading', { name: heading, exact: true }) });

  const made = async (path: string, body: object): Promise<{ id_at_source?: string }> => {
    const answer = await system.catalog.fetch(path, { method: 'POST', key: globalKey, body: JSON.stringify(body) });
    if (answer.status !== 201)
      throw new Error(`POST ${path} answered ${String(answer.status)}: ${await answer.text()}`);
    return (await answer.json()) as { id_at_source?: string };
  };

  it('should synchronise, tell of conflicts, and say when the provider is down', async () => {
    scim.accounts.set('kc-1', { id: 'kc-1', email: 'one@example.org', givenName: 'One', familyName: 'Person' });
    scim.accounts.set('kc-2', { id: 'kc-2', email: admin.login });
    await visitor.signIn(admin, '/identity-sync');
    await visitor.page.getByText('There was none yet').waitFor();
    expect(await visitor.violations()).toEqual([]);
    const start = visitor.page.getByRole('button', { name: 'Synchronise now' });
    await start.click();
    await visitor.page.getByRole('row', { name: 'People added 1' }).waitFor();
    await visitor.page.getByRole('row', { name: /kc-2/ }).getByText(admin.login).waitFor();
    expect(await visitor.violations()).toEqual([]);
    scim.fail(500);
    await start.click();
    await visitor.page.getByRole('alert').waitFor();
    scim.fail(null);
    await visitor.open('/users?source=identity_provider');
    await visitor.page.getByRole('link', { name: 'One Person' }).waitFor();
  });

  it('should ask before it deactivates many people at once', async () => {
    for (let at = 0; at < 12; at++) {
      scim.accounts.set(`many-${String(at)}`, { id: `many-${String(at)}`, email: `many${String(at)}@example.org` });
    }
    await system.catalog.fetch('/api/idp/force', { method: 'POST', key: globalKey });
    scim.accounts.clear();
    await visitor.signIn(admin, '/identity-sync');
    await visitor.page.getByRole('button', { name: 'Synchronise now' }).click();
    await visitor.page.getByRole('button', { name: 'Deactivate them' }).click();
    await visitor.page.getByRole('dialog').getByRole('button', { name: 'Deactivate them' }).click();
    await visitor.page.getByText('No conflicts.').waitFor();
    await visitor.page.getByRole('row', { name: /^Deactivated 1\d$/ }).waitFor();
  });

  it('should count what there is with two requests, and lead to it', async () => {
    const { id_at_source: id } = await made('/api/datasets', { name: 'Shown' });
    await made('/api/datasets', { name: 'Hidden' });
    await made('/api/admin/endpoints', { name: 'Portal' });
    await made(`/api/datasets/${String(id)}/exposures`, { endpoint: 'Portal', form_id: 3 });
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
    const plot = await section('Imports').getByRole('img').getAttribute('aria-label');
    expect(plot).toMatch(/1 dataset, 2 MB$/);
    expect(asked.sort()).toEqual(['/api/admin/overview', '/imports']);
    expect(await visitor.violations()).toEqual([]);
    await section('Catalog').getByRole('link', { name: '1 not published' }).click();
    await visitor.heading('Datasets');
    await visitor.page.getByRole('link', { name: 'Hidden' }).waitFor();
    expect(await visitor.page.getByRole('link', { name: 'Shown' }).count()).toBe(0);
  });

  it('should show a steward the numbers without ways to what only administrators may see', async () => {
    await visitor.signIn(steward);
    await section('Accesses').getByText('In force').waitFor();
    expect(await section('Accesses').getByRole('link').count()).toBe(0);
    expect(await section('Catalog').getByRole('link').count()).toBeGreaterThan(0);
    expect(await visitor.violations()).toEqual([]);
  });

  it('should say to whoever has no role what they may do, and ask nothing they may not see', async () => {
    const refused: string[] = [];
    visitor.page.on('response', (response) => {
      if (response.status() >= 400 && !response.url().endsWith('/api/session')) refused.push(response.url());
    });
    await visitor.signIn(nobody);
    await visitor.page.getByText('Ask an administrator for a role').waitFor();
    expect(await visitor.violations()).toEqual([]);
    expect(refused).toEqual([]);
  });

  it('should fit on a phone', async () => {
    await visitor.leave();
    visitor = await Visitor.come(system.origin, { width: 390, height: 844 });
    await visitor.open();
    await visitor.fillIn(admin);
    await section('Imports').waitFor();
    await section('Terms').waitFor();
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await visitor.page.evaluate(overflow)).toBe(0);
    expect(await visitor.violations()).toEqual([]);
  });
});
