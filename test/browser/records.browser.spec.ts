import { consoleSuite } from './support/console-suite.ts';
import { admin } from './support/console-system.ts';
import { expectSoon } from './support/visitor.ts';

const auditor = { ...admin, login: 'auditor@example.org' };
const lists = ['projects', 'datasets', 'contracts', 'partners', 'cohorts'];

describe('records in the console', () => {
  const { system, visitor } = consoleSuite(async () => {
    await system.start();
    await system.addPerson(auditor.login, ['auditor']);
    await system.send('POST', '/api/projects', { acronym: 'ALPHA', name: 'Ageing well' });
    await system.send('POST', '/api/datasets', { name: 'Sleep diaries', project: 'ALPHA' });
    await system.send('POST', '/api/partners', { name: 'University of Somewhere', acronym: 'UoS' });
    await system.send('POST', '/api/cohorts', { name: 'The thousand', institutes: ['University of Somewhere'] });
    await system.send('POST', '/api/cohorts/1/publish');
    await system.send('POST', '/api/contracts', { name: 'Transfer of diaries', project_id: 1 });
  });

  const section = (name: string) => visitor.main.getByRole('button', { name, exact: true });
  const textbox = (name: string) => visitor.page.getByRole('textbox', { name, exact: true });
  const choose = (name: string) => visitor.page.getByRole('option', { name, exact: true }).click();
  const saved = () => visitor.page.getByRole('alert').getByText('Saved.').first().waitFor();
  /** Opens a list or a record, and waits until it is shown. */
  const open = async (path: string): Promise<void> => {
    await visitor.open(path);
    await visitor.page
      .locator(path.endsWith('edit') ? 'form' : path.endsWith('1') ? '#links ul, #links p' : 'table')
      .first()
      .waitFor();
  };

  it('should be shown without violations of accessibility, also on a phone in dark colours', async () => {
    await visitor.signIn();
    for (const list of lists) {
      for (const path of [`/${list}`, `/${list}/1`, `/${list}/1/edit`]) {
        await open(path);
        expect([path, await visitor.violations()]).toEqual([path, []]);
      }
    }
    await visitor.page.setViewportSize({ width: 390, height: 800 });
    await visitor.page.emulateMedia({ colorScheme: 'dark' });
    for (const path of ['/datasets', '/datasets/1', '/datasets/1/edit']) {
      await open(path);
      expect([path, await visitor.violations()]).toEqual([path, []]);
      await visitor.fits();
    }
  });

  it('should be unchanged when their form is stored unchanged', async () => {
    await visitor.signIn();
    for (const list of lists) {
      const before = await system.stored(`/api/${list}/1`);
      await open(`/${list}/1/edit`);
      await visitor.press('Save');
      await saved();
      expect(await system.stored(`/api/${list}/1`)).toMatchObject(before);
    }
  });

  it('should show a concurrent change of another person, and let the person decide', async () => {
    await visitor.signIn(undefined, '/datasets/1/edit');
    await textbox('Description').fill('Mine');
    await system.send('PATCH', '/api/datasets/1', { description: 'Theirs' });
    await visitor.press('Save');
    const dialog = visitor.dialog('Somebody else has changed this meanwhile');
    await dialog.getByRole('row', { name: 'Description Theirs Mine' }).waitFor();
    expect(await visitor.violations()).toEqual([]);
    expect(await system.stored('/api/datasets/1')).toMatchObject({ description: 'Theirs' });
    await visitor.confirm('Save mine over it');
    await saved();
    expect(await system.stored('/api/datasets/1')).toMatchObject({ description: 'Mine' });
  });

  it('should not be left with unsaved work without a confirmation', async () => {
    await visitor.signIn(undefined, '/datasets/1/edit');
    await textbox('Description').fill('Half a thought');
    await visitor.goTo('Partners');
    await visitor.dialog('Leave without saving?').waitFor();
    await visitor.confirm('Stay');
    await visitor.gone(visitor.dialog());
    await expectSoon(() => textbox('Description').inputValue(), 'Half a thought');
    await visitor.goTo('Partners');
    await visitor.confirm('Leave without saving');
    await visitor.heading('Partners');
  });

  it('should be saved after an ended session when the person has signed in again', async () => {
    await visitor.signIn(undefined, '/datasets/1/edit');
    await textbox('Description').fill('Written before the session ended');
    await system.catalog.dataSource.query('DELETE FROM sessions');
    await visitor.press('Save');
    await visitor.dialog().getByText('Your session has ended.').waitFor();
    expect(await visitor.violations()).toEqual([]);
    await visitor.fillIn(admin);
    await saved();
    expect(await system.stored('/api/datasets/1')).toMatchObject({ description: 'Written before the session ended' });
  });

  it('should be published and withdrawn', async () => {
    await visitor.signIn(undefined, '/partners/1');
    await visitor.press('Publish');
    await visitor.button('Unpublish').waitFor();
    expect(await system.stored('/api/partners/1')).toMatchObject({ published: true });
    await visitor.press('Unpublish');
    await visitor.button('Publish').waitFor();
    expect(await system.stored('/api/partners/1')).toMatchObject({ published: false });
  });

  it('should list new custodians among the contacts', async () => {
    await system.send('POST', '/api/admin/users', { first_name: 'Augusta', last_name: 'Byron' });
    await visitor.signIn(undefined, '/projects/1');
    await section('Custodians').click();
    await visitor.reads('Nobody answers for this record yet.');
    const custodians = visitor.main.getByRole('group', { name: 'Local custodians', exact: true });
    await custodians.getByRole('combobox', { name: 'Person' }).fill('byron');
    await choose('Augusta Byron');
    await custodians.getByRole('button', { name: 'Add', exact: true }).click();
    await visitor.row('Augusta Byron').waitFor();
    await visitor.main.locator('#people').getByRole('heading', { name: 'Augusta Byron' }).waitFor();
    expect(await visitor.violations()).toEqual([]);
    await visitor.press('Take off');
    await visitor.confirm('Take off');
    await visitor.reads('Nobody answers for this record yet.');
    expect(await system.stored('/api/projects/1')).toMatchObject({ contacts: [] });
  });

  it('should link to the records that are linked with them, in both directions', async () => {
    await visitor.signIn(undefined, '/projects/1');
    const links = visitor.main.locator('#links');
    await links.getByRole('link', { name: 'Transfer of diaries', exact: true }).click();
    await visitor.heading('Transfer of diaries');
    await links.getByRole('link', { name: 'Sleep diaries', exact: true }).click();
    await visitor.heading('Sleep diaries');
    await links.getByRole('link', { name: 'Ageing well', exact: true }).click();
    await visitor.heading('Ageing well');
  });

  it('should close and open a section, and lead to it by the table of contents', async () => {
    await visitor.signIn(undefined, '/projects/1');
    const head = visitor.main.getByRole('button', { name: 'History', exact: true });
    await head.waitFor();
    await visitor.main.getByRole('navigation').getByRole('link', { name: 'History', exact: true }).click();
    await visitor.main.locator('#history button[aria-expanded=true]:focus').waitFor();
    await head.press('Enter');
    await visitor.main.locator('#history button[aria-expanded=false]').waitFor();
  });

  it('should store metadata that are edited as names and values', async () => {
    await visitor.signIn(undefined, '/cohorts/1/edit');
    await visitor.press('Add a value');
    await textbox('Name 1').fill('wave');
    await textbox('Value 1').fill('second');
    expect(await visitor.violations()).toEqual([]);
    await visitor.press('Save');
    await saved();
    await visitor.row('wave').getByRole('cell', { name: 'second', exact: true }).waitFor();
  });

  it('should be stored on platforms that the form or an administrator creates, who decides which are public', async () => {
    await visitor.signIn(undefined, '/platforms');
    await visitor.reads('No storage platforms yet');
    expect(await visitor.violations()).toEqual([]);
    await open('/datasets/1/edit');
    await visitor.press('Add storage location');
    const location = visitor.main.getByRole('group', { name: 'Storage location 1', exact: true });
    await location.getByRole('combobox', { name: 'Platform' }).fill('Vault');
    await choose('Create “Vault” when this is saved');
    await visitor.press('Save');
    await saved();
    expect(await system.stored('/api/datasets/1')).toMatchObject({ storages: [{ platform: 'Vault' }] });
    await visitor.goTo('Storage platforms');
    await visitor.link('Vault').click();
    await visitor.main.getByRole('checkbox', { name: 'Endpoints may know it' }).check();
    expect(await visitor.violations()).toEqual([]);
    await visitor.press('Save');
    await visitor.row('Vault').getByRole('cell', { name: 'yes', exact: true }).waitFor();
    await visitor.link('New storage platform').click();
    await textbox('Name').fill('Vault');
    await visitor.press('Create');
    await visitor.faultAt('name');
    await textbox('Name').fill('Attic');
    await visitor.press('Create');
    await visitor.link('Attic').click();
    await visitor.heading('Attic');
    await visitor.press('Remove');
    await visitor.confirm('Remove');
    await visitor.link('Vault').waitFor();
    await visitor.gone(visitor.link('Attic'));
  });

  it('should be shown to an auditor without forbidden actions', async () => {
    await visitor.signIn(auditor, '/partners');
    await visitor.link('University of Somewhere').click();
    await visitor.heading('University of Somewhere');
    await visitor.button('History').waitFor();
    await visitor.reads('UoS');
    await visitor.gone(visitor.main.getByRole('button', { name: /Save|Remove|Publish|Create/ }));
    await visitor.gone(visitor.main.locator('form'));
    await visitor.gone(visitor.link('Edit'));
    await visitor.open('/partners');
    await visitor.page.getByRole('table').waitFor();
    await visitor.gone(visitor.link('New partner'));
  });

  it('should be removed, unless another record refers to them, which is reported', async () => {
    await system.send('POST', '/api/partners', { name: 'Unused partner' });
    await visitor.signIn(undefined, '/partners');
    const remove = async (name: string): Promise<void> => {
      await visitor.link(name).click();
      await visitor.heading(name);
      await visitor.press('Remove');
      await visitor.confirm('Remove');
    };
    await remove('Unused partner');
    await visitor.heading('Partners');
    await visitor.gone(visitor.link('Unused partner'));
    await remove('University of Somewhere');
    await visitor.dialog().getByRole('alert').getByText('record.in_use').waitFor();
  });

  it('should state what the national catalogue requires, with a way to each missing fact', async () => {
    const dataset = { name: 'Dream diaries', metadata: { keywords: ['dreams'] } };
    const { id_at_source: id } = await system.send<{ id_at_source: string }>('POST', '/api/datasets', dataset);
    await visitor.signIn();
    await visitor.open(`/datasets/${id}`);
    await section('National catalogue').click();
    await visitor.page.getByText('2 of 9 facts are stated.').waitFor();
    expect(await visitor.violations()).toEqual([]);

    await visitor.press('Provenance');
    await visitor.page.keyboard.type('Written down each morning.');
    await visitor.press('Health category');
    await visitor.page.keyboard.type('Electronic');
    await choose('Electronic health records');
    await visitor.press('Structured data');
    await visitor.page.keyboard.press('Enter');
    await choose('no');
    await visitor.press('Save');
    await saved();
    await visitor.page.getByText('5 of 9 facts are stated.').waitFor();
    const { metadata } = await system.stored<{ metadata: string }>(`/api/datasets/${id}`);
    expect(JSON.parse(metadata)).toEqual({
      keywords: ['dreams'],
      healthdcat: { categories: ['EHRS'], structured: false, provenance: 'Written down each morning.' },
    });

    await visitor.press('Description');
    await textbox('Description').and(visitor.page.locator(':focus')).waitFor();
    await visitor.page.keyboard.type('Diaries of twelve people.');
    expect(await textbox('Description').inputValue()).toBe('Diaries of twelve people.');
    await visitor.press('Save');
    await saved();
    await section('National catalogue').click();
    await visitor.page.getByText('6 of 9 facts are stated.').waitFor();
  });
});
