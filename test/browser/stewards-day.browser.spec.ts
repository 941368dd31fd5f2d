import { globalKey } from '../../apps/catalog-api/test/catalog.ts';
import { consoleSuite } from './support/console-suite.ts';
import { admin } from './support/console-system.ts';

const steward = { ...admin, login: 'steward@example.org' };

describe("a steward's day", () => {
  let endpointKey: string;
  const { system, visitor } = consoleSuite(async () => {
    await system.start();
    await system.addPerson(steward.login, ['data_steward']);
    const portal = await system.send<{ key: string }>('POST', '/api/admin/endpoints', { name: 'Research portal' });
    endpointKey = portal.key;
    const terms = await system.catalog.fetch('/api/import/terms/disease', {
      method: 'POST',
      key: globalKey,
      body: 'id\tlabel\tsynonyms\nMONDO:0005180\tParkinson disease\tParalysis agitans\n',
    });
    expect(terms.status).toBe(200);
    await system.send('POST', '/api/projects', { acronym: 'PARK', name: 'Parkinson at home' });
  });

  const seenByPortal = async (name: string): Promise<Record<string, unknown>[]> => {
    const response = await system.catalog.fetch('/api/datasets', { key: endpointKey });
    const { items } = (await response.json()) as { items: Record<string, unknown>[] };
    return items.filter((item) => item['name'] === name);
  };
  const textbox = (name: string) => visitor.main.getByRole('textbox', { name, exact: true });
  const choose = (name: string) => visitor.page.getByRole('option', { name }).click();
  /** Creates a dataset. @returns the path of the dataset */
  const create = async (name: string): Promise<string> => {
    const { id_at_source } = await system.send<{ id_at_source: string }>('POST', '/api/datasets', {
      ...{ name, project: 'PARK' },
      data_declarations: [{ title: 'Sensors' }],
    });
    return `/datasets/${id_at_source}`;
  };

  it('should create a project', async () => {
    await visitor.signIn(steward, '/projects/new');
    await textbox('Acronym').fill('GAIT');
    await textbox('Name').fill('Gait at home');
    await visitor.press('Create');
    await visitor.heading('Gait at home');
    await visitor.page.getByRole('alert').getByText('Saved.').waitFor();
    expect(await visitor.violations()).toEqual([]);
  });

  it('should create a dataset of the project, with a declaration, a new cohort, and a condition about a term', async () => {
    await visitor.signIn(steward, '/datasets');
    await visitor.link('New dataset').first().click();
    await textbox('Name').fill('Walking at home');
    await visitor.main.getByRole('combobox', { name: 'Project', exact: true }).fill('park');
    await choose('PARK: Parkinson at home');
    await visitor.press('Add data declaration');
    const declaration = visitor.main.getByRole('group', { name: 'Data declaration 1', exact: true });
    await declaration.getByRole('textbox', { name: 'Title', exact: true }).fill('Sensors');
    await declaration.getByRole('combobox', { name: 'Cohorts', exact: true }).fill('Walkers of Ardenne');
    await choose('Create “Walkers of Ardenne”');
    await declaration.getByRole('button', { name: 'Add use condition', exact: true }).click();
    const condition = visitor.main.getByRole('group', { name: 'Use condition 1', exact: true });
    await condition.getByRole('combobox', { name: 'Class of use' }).click();
    await choose('DS: Disease-specific Research and Clinical Care.');
    await condition.getByRole('combobox', { name: 'What the class is about' }).fill('agitans');
    await choose('Parkinson disease (MONDO:0005180)');
    expect(await visitor.violations()).toEqual([]);
    await visitor.press('Create');
    await visitor.heading('Walking at home');
    expect(await seenByPortal('Walking at home')).toEqual([]);
    const { items } = await system.stored<{ items: { name: string }[] }>('/api/datasets');
    expect(items.filter(({ name }) => name === 'Walking at home')).toMatchObject([
      {
        project: 'PARK',
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

  it('should expose the dataset, so that the endpoint can read it with its form', async () => {
    await visitor.signIn(steward, await create('Walking by day'));
    await visitor.main.getByRole('combobox', { name: 'Endpoint' }).click();
    await choose('Research portal');
    await textbox('Number of the form').fill('7');
    await visitor.press('Expose');
    await visitor.main.getByRole('cell', { name: 'Exposed', exact: true }).waitFor();
    expect(await visitor.violations()).toEqual([]);
    expect(await seenByPortal('Walking by day')).toMatchObject([
      { project: 'PARK', form_id: 7, deprecated: false, data_declarations: [{ title: 'Sensors' }] },
    ]);
  });

  it('should change the dataset, and show the difference in its history', async () => {
    await visitor.signIn(steward, `${await create('Walking inside')}/edit`);
    await textbox('Name').fill('Walking outside');
    await visitor.press('Save');
    await visitor.heading('Walking outside');
    await visitor.press('History');
    const change = visitor.row('Walking inside');
    await change.getByRole('cell', { name: 'Walking outside' }).waitFor();
    await change.getByRole('cell', { name: 'Name', exact: true }).waitFor();
    expect(await visitor.violations()).toEqual([]);
  });

  it('should withdraw the dataset with a reason, which the endpoint can read', async () => {
    const path = await create('Walking by night');
    await system.send('POST', `/api${path}/exposures`, { endpoint: 'Research portal', form_id: 7 });
    await visitor.signIn(steward, path);
    await visitor.press('Withdraw');
    await visitor.dialog().getByRole('textbox', { name: 'Reason' }).fill('Consent was withdrawn.');
    expect(await visitor.violations()).toEqual([]);
    await visitor.confirm('Withdraw');
    await visitor.main.getByRole('cell', { name: 'Withdrawn: Consent was withdrawn.' }).waitFor();
    expect(await seenByPortal('Walking by night')).toMatchObject([
      { deprecated: true, deprecation_notes: 'Consent was withdrawn.' },
    ]);
    await visitor.press('History');
    await visitor.main.getByText(/^Withdrawn from an endpoint by /).waitFor();
    await visitor.main.getByText(/^Exposed to an endpoint by /).waitFor();
  });

  it('should find the dataset by a part of its name, and keep the state of the list in the address', async () => {
    await create('Walking abroad');
    await visitor.signIn(steward, '/datasets');
    await visitor.page.getByRole('searchbox').fill('abroad');
    await visitor.page.waitForURL(/\?q=abroad$/);
    await visitor.page.reload();
    await visitor.link('Walking abroad').waitFor();
    await visitor.page.getByRole('searchbox').fill('nothing of this kind');
    await visitor.press('Clear search and filters');
    await visitor.link('Walking abroad').waitFor();
  });
});
