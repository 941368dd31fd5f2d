import { globalKey } from '../../apps/catalog-api/test/catalog.ts';
import { admin, ConsoleSystem } from './support/console-system.ts';
import { Visitor } from './support/visitor.ts';

const byron = { first_name: 'Augusta', last_name: 'Byron', email: 'byron@example.org', subject: 'kc-byron' };
interface Made {
  readonly id: number;
  readonly id_at_source?: string;
  readonly external_id?: string;
}

const phone = { width: 390, height: 844 };

describe('people and keys in the console', () => {
  let system: ConsoleSystem;
  let visitor: Visitor;
  let person: Made;
  let endpoint: Made;
  let dataset: { readonly id: string; readonly accession: string };

  /** Makes something by the global key, as an operator's script would. */
  const made = async (path: string, body: object): Promise<Made> => {
    const answer = await system.catalog.fetch(path, { method: 'POST', key: globalKey, body: JSON.stringify(body) });
    if (answer.status !== 201)
      throw new Error(`POST ${path} answered ${String(answer.status)}: ${await answer.text()}`);
    return (await answer.json()) as Made;
  };

  beforeAll(async () => {
    system = await ConsoleSystem.start();
    person = await made('/api/admin/users', byron);
    const { id_at_source, external_id } = await made('/api/datasets', { name: 'Genomes' });
    dataset = { id: String(id_at_source), accession: String(external_id) };
    endpoint = await made('/api/admin/endpoints', { name: 'Portal' });
    await made(`/api/datasets/${dataset.id}/exposures`, { endpoint: 'Portal', form_id: 3 });
    await made('/api/admin/accesses', { dataset: dataset.id, user_id: person.id });
    await system.catalog.dataSource.query(
      `INSERT INTO accesses (dataset_id, application, subject, status, attempts) VALUES ($1, 7, 'kc-nobody', 'precreated', 1)`,
      [dataset.id],
    );
    await system.catalog.dataSource.query(
      `INSERT INTO refused_entitlements (application, resource, subject, ends, reason)
       VALUES (8, 'RDC_404', 'kc-late', '{NULL}', 'unknown_resource')`,
    );
  });

  beforeEach(async () => {
    visitor = await Visitor.come(system.origin);
  });

  afterEach(async () => {
    await visitor.leave();
    expect(visitor.complaints).toEqual([]);
  });

  afterAll(() => system.stop());

  const button = (name: string) => visitor.page.getByRole('button', { name, exact: true });
  const dialog = () => visitor.page.getByRole('dialog');
  const confirm = (name: string) => dialog().getByRole('button', { name, exact: true }).click();
  const row = (text: string) => visitor.page.getByRole('row').filter({ hasText: text });

  /** What the key that is shown now opens, by a real request; the dialog is closed. */
  const takeKey = async (): Promise<string> => {
    const shown = visitor.page.getByRole('dialog', { name: /^Key of / }).getByLabel('Key', { exact: true });
    await shown.waitFor();
    expect(await visitor.violations()).toEqual([]);
    const key = await shown.inputValue();
    await confirm('I have kept it');
    await shown.waitFor({ state: 'detached' });
    return key;
  };

  const statusFor = async (key: string): Promise<number> =>
    (await fetch(`${system.origin}/api/datasets`, { headers: { 'X-API-Key': key } })).status;

  it('should hand out a key that works, show it once, and revoke it', async () => {
    await visitor.signIn(admin, '/users?q=byron');
    await visitor.heading('People');
    await visitor.page.getByRole('link', { name: 'Augusta Byron' }).waitFor();
    expect(await visitor.violations()).toEqual([]);
    await visitor.page.getByRole('link', { name: 'Augusta Byron' }).click();
    await visitor.heading('Augusta Byron');
    await visitor.page.getByText('There is no key.').waitFor();
    await button('Make a key').click();
    await confirm('Make a key');
    const key = await takeKey();
    expect(await statusFor(key)).toBe(200);
    await visitor.page.reload();
    await visitor.page.getByText('Accepted', { exact: true }).waitFor();
    expect(await visitor.page.content()).not.toContain(key);
    expect(await visitor.violations()).toEqual([]);
    await button('Revoke').click();
    await confirm('Revoke');
    await visitor.page.getByText('There is no key.').waitFor();
    expect(await statusFor(key)).toBe(403);
  });

  it('should add somebody, say at the field what is wrong, give a grant and take it back', async () => {
    await visitor.signIn(admin, '/users/new');
    await visitor.page.getByLabel(/^Last name/).fill('Hopper');
    await visitor.page.getByLabel('E-mail address').fill(byron.email);
    await button('Create').click();
    await visitor.page.locator('input[data-path="email"][aria-invalid="true"]').waitFor();
    await visitor.page.getByLabel('E-mail address').fill('hopper@example.org');
    await button('Create').click();
    await visitor.heading('Hopper');
    await visitor.page.getByRole('combobox', { name: 'Record', exact: true }).click();
    await visitor.page.getByRole('option', { name: 'Genomes' }).click();
    await button('Give').click();
    await row('Genomes').waitFor();
    expect(await visitor.violations()).toEqual([]);
    await button('Take back').click();
    await confirm('Take back');
    await visitor.page.getByText('No grants').waitFor();
    await button('Deactivate').click();
    await confirm('Deactivate');
    await visitor.page.getByText('Deactivated', { exact: true }).waitFor();
  });

  it('should add an endpoint and rotate its key, the former one accepted until the overlap is over', async () => {
    await visitor.signIn(admin, '/endpoints');
    await row('Portal').waitFor();
    expect(await visitor.violations()).toEqual([]);
    await visitor.page.getByRole('link', { name: 'New endpoint' }).click();
    await visitor.page.getByLabel('Name').fill('Network');
    await visitor.page.getByLabel('Key', { exact: true }).fill('too short');
    await button('Create').click();
    await visitor.page.locator('input[data-path="key"][aria-invalid="true"]').waitFor();
    const first = 'k'.repeat(64);
    await visitor.page.getByLabel('Key', { exact: true }).fill(first);
    await button('Create').click();
    expect(await takeKey()).toBe(first);
    await visitor.heading('Network');
    await button('Rotate the key').click();
    await confirm('Rotate the key');
    const second = await takeKey();
    expect(second).toMatch(/^[A-Za-z0-9]{64}$/);
    expect([await statusFor(first), await statusFor(second)]).toEqual([200, 200]);
    await button('Rotate the key').click();
    await dialog().getByLabel('Overlap in hours').fill('0');
    await confirm('Rotate the key');
    const third = await takeKey();
    expect([await statusFor(first), await statusFor(second), await statusFor(third)]).toEqual([403, 403, 200]);
    await visitor.page.getByText('Not accepted').first().waitFor();
    expect(await visitor.violations()).toEqual([]);
    await button('Revoke all keys').click();
    await confirm('Revoke all keys');
    await visitor.page.getByText('Accepted', { exact: true }).waitFor({ state: 'detached' });
    expect(await statusFor(third)).toBe(403);
  });

  it('should show what is exposed to an endpoint', async () => {
    await visitor.signIn(admin, `/endpoints/${String(endpoint.id)}`);
    await visitor.page
      .getByRole('region', { name: 'Exposed datasets' })
      .getByRole('link', { name: 'Genomes' })
      .waitFor();
    expect(await visitor.violations()).toEqual([]);
  });

  it('should hold an access back, take it up again, move its end and end it for good', async () => {
    const permissions = async (): Promise<unknown> => {
      const answer = await fetch(`${system.origin}/api/permissions/kc-byron`, { headers: { 'X-API-Key': globalKey } });
      return answer.json();
    };
    await visitor.signIn(admin, '/accesses?q=augusta');
    expect(await permissions()).toEqual([dataset.accession]);
    await row('Augusta Byron').waitFor();
    expect(await visitor.violations()).toEqual([]);
    await visitor.page.getByRole('link', { name: 'Augusta Byron' }).click();
    await visitor.heading('Access of Augusta Byron to Genomes');
    await button('Suspend').click();
    await confirm('Suspend');
    await visitor.page.getByText('Held back').waitFor();
    expect(await permissions()).toEqual([]);
    await button('Resume').click();
    await confirm('Resume');
    await visitor.page.getByText('In force').waitFor();
    await button('Move the end').click();
    await dialog().getByLabel('Ends on').fill('2099-12-31');
    await confirm('Move the end');
    await visitor.page.getByText('31 Dec 2099').waitFor();
    expect(await permissions()).toEqual([dataset.accession]);
    expect(await visitor.violations()).toEqual([]);
    await button('Terminate').click();
    await confirm('Terminate');
    await visitor.page.getByText('Over', { exact: true }).waitFor();
    expect(await permissions()).toEqual([]);
    expect(await button('Resume').count()).toBe(0);
  });

  it('should give an access by hand', async () => {
    await made('/api/admin/users', { first_name: 'Grace', last_name: 'Murray' });
    await visitor.signIn(admin, `/accesses/new?dataset=${dataset.id}`);
    await visitor.heading('Give access');
    await visitor.page.getByRole('combobox', { name: 'Person' }).fill('murray');
    await visitor.page.getByRole('option', { name: 'Grace Murray' }).click();
    expect(await visitor.violations()).toEqual([]);
    await button('Give access').click();
    await visitor.heading('Access of Grace Murray to Genomes');
    await visitor.page.getByText('by hand').waitFor();
  });

  it('should list what waits and what was refused, with the reason, and try it again', async () => {
    await visitor.signIn(admin, '/entitlements');
    await row('kc-nobody').getByText('for the account of the person').waitFor();
    expect(await visitor.violations()).toEqual([]);
    await visitor.page.getByRole('link', { name: 'Refused entitlements' }).click();
    await row('kc-late').getByText('There is no such dataset').waitFor();
    expect(await visitor.violations()).toEqual([]);
    await row('kc-late').getByRole('button', { name: 'Try again' }).click();
    await visitor.page.getByText('It is refused again: there is no such dataset.').waitFor();
    await row('kc-late').getByRole('button', { name: 'Take off the list' }).click();
    await confirm('Take off the list');
    await visitor.page.getByText('Nothing was refused').waitFor();
    expect(await visitor.violations()).toEqual([]);
  });

  it('should say what to do where there is no identity provider', async () => {
    await visitor.signIn(admin, '/identity-sync');
    await visitor.page.getByText('set IDP_PROVIDER').waitFor();
    expect(await button('Synchronise now').count()).toBe(0);
    expect(await visitor.violations()).toEqual([]);
  });

  it('should offer nothing of it to a viewer', async () => {
    await system.addPerson('viewer@example.org', ['auditor']);
    await visitor.signIn({ ...admin, login: 'viewer@example.org' }, '/users');
    await visitor.page.getByRole('alert').waitFor();
    expect(await visitor.page.getByRole('link', { name: 'New person' }).count()).toBe(0);
    const navigation = visitor.page.getByRole('navigation');
    await navigation.getByRole('link', { name: 'Datasets', exact: true }).waitFor();
    for (const name of ['People', 'Endpoints', 'Accesses', 'Entitlements', 'Identity sync']) {
      expect(await navigation.getByRole('link', { name, exact: true }).count()).toBe(0);
    }
    expect(await visitor.violations()).toEqual([]);
  });

  it('should fit on a phone', async () => {
    await visitor.leave();
    visitor = await Visitor.come(system.origin, phone);
    await visitor.open(`/users/${String(person.id)}`);
    await visitor.fillIn(admin);
    await visitor.heading('Augusta Byron');
    await visitor.page.getByRole('heading', { name: 'Accesses' }).waitFor();
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    for (const path of [
      `/users/${String(person.id)}`,
      `/endpoints/${String(endpoint.id)}`,
      '/accesses',
      '/entitlements',
    ]) {
      await visitor.open(path);
      await visitor.page.getByRole('table').first().waitFor();
      expect([path, await visitor.page.evaluate(overflow)]).toEqual([path, 0]);
    }
    expect(await visitor.violations()).toEqual([]);
  });
});
