import { globalKey } from '../../apps/catalog-api/test/catalog.ts';
import { admin, ConsoleSystem } from './support/console-system.ts';
import { Visitor } from './support/visitor.ts';

const steward = { ...admin, login: 'steward@example.org' };

describe("a steward's day", () => {
  let system: ConsoleSystem;
  let visitor: Visitor;
  let endpointKey: string;

  beforeAll(async () => {
    system = await ConsoleSystem.start();
    await system.addPerson(steward.login, ['data_steward']);
    const response = await system.catalog.fetch('/api/admin/endpoints', {
      method: 'POST',
      key: globalKey,
      body: JSON.stringify({ name: 'Research portal' }),
    });
    endpointKey = ((await response.json()) as { key: string }).key;
    const terms = await system.catalog.fetch('/api/import/terms/disease', {
      method: 'POST',
      key: globalKey,
      body: 'id\tlabel\tsynonyms\nMONDO:0005180\tParkinson disease\tParalysis agitans\n',
    });
    expect(terms.status).toBe(200);
    visitor = await Visitor.come(system.origin);
  });

  afterAll(async () => {
    await visitor.leave();
    await system.stop();
  });

  const seenByPortal = async (): Promise<Record<string, unknown>[]> => {
    const response = await system.catalog.fetch('/api/datasets', { key: endpointKey });
    return ((await response.json()) as { items: Record<string, unknown>[] }).items;
  };
  const saved = (): Promise<void> => visitor.page.getByRole('alert').getByText('Saved.').last().waitFor();

  it('should make a project', async () => {
    const { page } = visitor;
    await visitor.signIn(steward, '/projects/new');
    await page.getByRole('textbox', { name: 'Acronym' }).fill('PARK');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Parkinson at home');
    await page.getByRole('button', { name: 'Create' }).click();
    await visitor.heading('Parkinson at home');
    await saved();
    expect(await visitor.violations()).toEqual([]);
  });

  it('should make a dataset of it, with a declaration, a cohort made on the way, and a condition about a term', async () => {
    const { page } = visitor;
    await page.getByRole('link', { name: 'Datasets', exact: true }).click();
    await page.getByRole('link', { name: 'New dataset' }).first().click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Walking at home');
    await page.getByRole('combobox', { name: 'Project' }).fill('park');
    await page.getByRole('option', { name: 'PARK: Parkinson at home' }).click();
    await page.getByRole('button', { name: 'Add data declaration' }).click();
    const declaration = page.getByRole('group', { name: 'Data declaration 1' });
    await declaration.getByRole('textbox', { name: 'Title' }).fill('Sensors');
    await declaration.getByRole('combobox', { name: 'Cohorts' }).fill('Walkers of Ardenne');
    await page.getByRole('option', { name: 'Create “Walkers of Ardenne”' }).click();
    await declaration.getByRole('button', { name: 'Add use condition' }).click();
    const condition = page.getByRole('group', { name: 'Use condition 1' });
    await condition.getByRole('combobox', { name: 'Class of use' }).click();
    await page.getByRole('option', { name: 'DS: disease specific research' }).click();
    await condition.getByRole('combobox', { name: 'What the class is about' }).fill('agitans');
    await page.getByRole('option', { name: 'Parkinson disease (MONDO:0005180)' }).click();
    expect(await visitor.violations()).toEqual([]);
    await page.getByRole('button', { name: 'Create' }).click();
    await visitor.heading('Walking at home');
    expect(await seenByPortal()).toEqual([]);
  });

  it('should expose it, so that the endpoint sees it with its form', async () => {
    const { page } = visitor;
    await page.getByRole('tab', { name: 'Endpoints' }).click();
    await page.getByRole('combobox', { name: 'Endpoint' }).click();
    await page.getByRole('option', { name: 'Research portal' }).click();
    await page.getByRole('textbox', { name: 'Number of the form' }).fill('7');
    await page.getByRole('button', { name: 'Expose', exact: true }).click();
    await page.getByRole('cell', { name: 'Exposed', exact: true }).waitFor();
    expect(await visitor.violations()).toEqual([]);
    expect(await seenByPortal()).toMatchObject([
      {
        name: 'Walking at home',
        project: 'PARK',
        form_id: 7,
        deprecated: false,
        data_declarations: [
          {
            title: 'Sensors',
            cohorts: [{ cohort: 'Walkers of Ardenne' }],
            use_conditions: [{ use_class: 'DS', use_class_note: 'Parkinson disease (MONDO:0005180)' }],
          },
        ],
      },
    ]);
  });

  it('should change it, and read in its history what differs', async () => {
    const { page } = visitor;
    await page.getByRole('tab', { name: 'Record' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Walking outside');
    await page.getByRole('button', { name: 'Save' }).click();
    await visitor.heading('Walking outside');
    await page.getByRole('tab', { name: 'History' }).click();
    const change = page.getByRole('row').filter({ hasText: 'Walking at home' });
    await change.getByRole('cell', { name: 'Walking outside' }).waitFor();
    expect(await change.getByRole('cell').first().textContent()).toBe('Name');
    expect(await visitor.violations()).toEqual([]);
  });

  it('should withdraw it for a reason, which the endpoint is told', async () => {
    const { page } = visitor;
    await page.getByRole('tab', { name: 'Endpoints' }).click();
    await page.getByRole('button', { name: 'Withdraw' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Consent was withdrawn.');
    expect(await visitor.violations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('cell', { name: 'Withdrawn: Consent was withdrawn.' }).waitFor();
    expect(await seenByPortal()).toMatchObject([{ deprecated: true, deprecation_notes: 'Consent was withdrawn.' }]);
  });

  it('should find it in the list by part of its name, and the state of the list in the address', async () => {
    const { page } = visitor;
    await page.getByRole('link', { name: 'Datasets', exact: true }).click();
    await page.getByRole('searchbox').fill('outside');
    await page.waitForURL(/\?q=outside$/);
    await page.reload();
    await page.getByRole('link', { name: 'Walking outside' }).waitFor();
    await page.getByRole('searchbox').fill('nothing of this kind');
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await page.getByRole('link', { name: 'Walking outside' }).waitFor();
    expect(visitor.complaints).toEqual([]);
  });
});
