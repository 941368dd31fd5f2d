import { consoleSuite } from './support/console-suite.ts';
import { admin } from './support/console-system.ts';

const byron = { first_name: 'Augusta', last_name: 'Byron', email: 'byron@example.org', subject: 'kc-byron' };
interface Made {
  readonly id: number;
  readonly id_at_source?: string;
  readonly external_id?: string;
}

describe('people and keys in the console', () => {
  let person: Made;
  let endpoint: Made;
  let dataset: { readonly id: string; readonly accession: string };

  const { system, visitor } = consoleSuite(async () => {
    await system.start();
    person = await system.send<Made>('POST', '/api/admin/users', byron);
    const { id_at_source, external_id } = await system.send<Made>('POST', '/api/datasets', { name: 'Genomes' });
    dataset = { id: String(id_at_source), accession: String(external_id) };
    endpoint = await system.send<Made>('POST', '/api/admin/endpoints', { name: 'Portal' });
    await system.send('POST', `/api/datasets/${dataset.id}/exposures`, { endpoint: 'Portal', form_id: 3 });
    await system.send('POST', '/api/admin/accesses', { dataset: dataset.id, user_id: person.id });
    await system.catalog.dataSource.query(
      `INSERT INTO accesses (dataset_id, application, subject, status, attempts) VALUES ($1, 7, 'kc-nobody', 'precreated', 1)`,
      [dataset.id],
    );
    await system.catalog.dataSource.query(
      `INSERT INTO refused_entitlements (application, resource, subject, ends, reason)
       VALUES (8, 'RDC_404', 'kc-late', '{NULL}', 'unknown_resource')`,
    );
  });

  const row = (text: string) => visitor.row(text);
  /** Presses a button of the page and the same button of the confirmation, and waits until the confirmation closes. */
  const perform = async (name: string): Promise<void> => {
    await visitor.press(name);
    await visitor.confirm(name);
    await visitor.gone(visitor.dialog());
  };

  /** Returns the key that is shown, and closes its dialog. */
  const takeKey = async (): Promise<string> => {
    const shown = visitor.dialog(/^Key of /).getByLabel('Key', { exact: true });
    await shown.waitFor();
    await visitor.page.getByRole('dialog').nth(1).waitFor({ state: 'detached' });
    expect(await visitor.violations()).toEqual([]);
    const key = await shown.inputValue();
    await visitor.confirm('I have kept it');
    await visitor.gone(visitor.dialog());
    return key;
  };

  const statusFor = async (key: string): Promise<number> =>
    (await fetch(`${system.origin}/api/datasets`, { headers: { 'X-API-Key': key } })).status;

  it('should create a working key, show it once, and revoke it', async () => {
    await visitor.signIn(admin, '/users?q=byron');
    await visitor.heading('People');
    await visitor.link('Augusta Byron').waitFor();
    expect(await visitor.violations()).toEqual([]);
    await visitor.link('Augusta Byron').click();
    await visitor.heading('Augusta Byron');
    await visitor.reads('There is no key.');
    await visitor.press('Make a key');
    await visitor.confirm('Make a key');
    const key = await takeKey();
    expect(await statusFor(key)).toBe(200);
    await visitor.page.reload();
    await visitor.reads('Accepted');
    expect(await visitor.page.content()).not.toContain(key);
    expect(await visitor.violations()).toEqual([]);
    await perform('Revoke');
    await visitor.reads('There is no key.');
    expect(await statusFor(key)).toBe(403);
  });

  it('should add a person, show an error at its field, and add and remove a grant', async () => {
    await visitor.signIn(admin, '/users/new');
    await visitor.main.getByLabel(/^Last name/).fill('Hopper');
    await visitor.main.getByLabel('E-mail address').fill(byron.email);
    await visitor.press('Create');
    await visitor.faultAt('email');
    expect(await visitor.violations()).toEqual([]);
    await visitor.main.getByLabel('E-mail address').fill('hopper@example.org');
    await visitor.press('Create');
    await visitor.heading('Hopper');
    await visitor.main.getByRole('combobox', { name: 'Record', exact: true }).click();
    await visitor.page.getByRole('option', { name: 'Genomes' }).click();
    await visitor.press('Give');
    await row('Genomes').waitFor();
    expect(await visitor.violations()).toEqual([]);
    await perform('Take back');
    await visitor.main.getByText('No grants').waitFor();
    await perform('Deactivate');
    await visitor.reads('Deactivated');
  });

  it('should add an endpoint and rotate its key, and accept the previous key until the overlap ends', async () => {
    await visitor.signIn(admin, '/endpoints');
    await row('Portal').waitFor();
    expect(await visitor.violations()).toEqual([]);
    await visitor.link('New endpoint').click();
    await visitor.main.getByRole('textbox', { name: 'Name', exact: true }).fill('Network');
    await visitor.main.getByLabel('Key', { exact: true }).fill('too short');
    await visitor.press('Create');
    await visitor.faultAt('key');
    expect(await visitor.violations()).toEqual([]);
    const first = 'k'.repeat(64);
    await visitor.main.getByLabel('Key', { exact: true }).fill(first);
    await visitor.press('Create');
    expect(await takeKey()).toBe(first);
    await visitor.heading('Network');
    await visitor.press('Rotate the key');
    await visitor.confirm('Rotate the key');
    const second = await takeKey();
    expect(second).toMatch(/^[A-Za-z0-9]{64}$/);
    expect([await statusFor(first), await statusFor(second)]).toEqual([200, 200]);
    await visitor.press('Rotate the key');
    await visitor.dialog().getByLabel('Overlap in hours').fill('0');
    await visitor.confirm('Rotate the key');
    const third = await takeKey();
    expect([await statusFor(first), await statusFor(second), await statusFor(third)]).toEqual([403, 403, 200]);
    await visitor.reads('Not accepted');
    expect(await visitor.violations()).toEqual([]);
    await perform('Revoke all keys');
    await visitor.gone(visitor.main.getByText('Accepted', { exact: true }));
    expect(await statusFor(third)).toBe(403);
  });

  it('should show the datasets that are exposed to an endpoint', async () => {
    await visitor.signIn(admin, `/endpoints/${String(endpoint.id)}`);
    await visitor.main
      .getByRole('region', { name: 'Exposed datasets' })
      .getByRole('link', { name: 'Genomes' })
      .waitFor();
    expect(await visitor.violations()).toEqual([]);
  });

  it('should suspend, resume, extend and end an access', async () => {
    const permissions = (): Promise<unknown> => system.stored('/api/permissions/kc-byron');
    await visitor.signIn(admin, '/accesses?q=augusta');
    expect(await permissions()).toEqual([dataset.accession]);
    await row('Augusta Byron').waitFor();
    expect(await visitor.violations()).toEqual([]);
    await visitor.link('Augusta Byron').click();
    await visitor.heading('Access of Augusta Byron to Genomes');
    await perform('Suspend');
    await visitor.reads('Held back');
    expect(await permissions()).toEqual([]);
    await perform('Resume');
    await visitor.reads('In force');
    await visitor.press('Move the end');
    await visitor.dialog().getByLabel('Ends on').fill('2099-12-31');
    await visitor.confirm('Move the end');
    await visitor.main.getByText('31 Dec 2099').waitFor();
    expect(await permissions()).toEqual([dataset.accession]);
    expect(await visitor.violations()).toEqual([]);
    await perform('Terminate');
    await visitor.reads('Over');
    expect(await permissions()).toEqual([]);
    await visitor.gone(visitor.button('Resume'));
  });

  it('should create an access', async () => {
    await system.send('POST', '/api/admin/users', { first_name: 'Grace', last_name: 'Murray' });
    await visitor.signIn(admin, `/accesses/new?dataset=${dataset.id}`);
    await visitor.heading('Give access');
    await visitor.main.getByRole('combobox', { name: 'Person' }).fill('murray');
    await visitor.page.getByRole('option', { name: 'Grace Murray' }).click();
    expect(await visitor.violations()).toEqual([]);
    await visitor.press('Give access');
    await visitor.heading('Access of Grace Murray to Genomes');
    await visitor.reads('by hand');
  });

  it('should list waiting and refused claims with the reason, and retry them', async () => {
    await visitor.signIn(admin, '/entitlements');
    await row('kc-nobody').getByText('for the account of the person').waitFor();
    expect(await visitor.violations()).toEqual([]);
    await visitor.main.getByRole('link', { name: 'Refused entitlements' }).click();
    await row('kc-late').getByText('There is no such dataset').waitFor();
    expect(await visitor.violations()).toEqual([]);
    await row('kc-late').getByRole('button', { name: 'Try again' }).click();
    await visitor.page.getByText('It is refused again: there is no such dataset.').waitFor();
    await row('kc-late').getByRole('button', { name: 'Take off the list' }).click();
    await visitor.confirm('Take off the list');
    await visitor.reads('Nothing was refused');
    expect(await visitor.violations()).toEqual([]);
  });

  it('should show what to do when no identity provider is set', async () => {
    await visitor.signIn(admin, '/identity-sync');
    await visitor.main.getByText('set IDP_PROVIDER').waitFor();
    await visitor.gone(visitor.button('Synchronise now'));
    expect(await visitor.violations()).toEqual([]);
  });

  it('should hide these pages from a viewer', async () => {
    await system.addPerson('viewer@example.org', ['auditor']);
    await visitor.signIn({ ...admin, login: 'viewer@example.org' }, '/users');
    await visitor.main.getByRole('alert').waitFor();
    await visitor.gone(visitor.link('New person'));
    const navigation = visitor.page.getByRole('navigation');
    await navigation.getByRole('link', { name: 'Datasets', exact: true }).waitFor();
    for (const name of ['Storage platforms', 'People', 'Endpoints', 'Accesses', 'Entitlements', 'Identity sync']) {
      await visitor.gone(navigation.getByRole('link', { name, exact: true }));
    }
    expect(await visitor.violations()).toEqual([]);
  });

  it('should fit on a phone', async () => {
    await visitor.page.setViewportSize({ width: 390, height: 844 });
    const user = `/users/${String(person.id)}`;
    await visitor.signIn(admin, user);
    await visitor.heading('Augusta Byron');
    await visitor.main.getByRole('heading', { name: 'Accesses' }).waitFor();
    for (const path of [user, `/endpoints/${String(endpoint.id)}`, '/accesses', '/entitlements']) {
      await visitor.open(path);
      await visitor.main.getByRole('table').first().waitFor();
      await visitor.fits();
    }
    expect(await visitor.violations()).toEqual([]);
  });
});
