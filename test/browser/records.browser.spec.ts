import { globalKey } from '../../apps/catalog-api/test/catalog.ts';
import { admin, ConsoleSystem } from './support/console-system.ts';
import { Visitor } from './support/visitor.ts';

const auditor = { ...admin, login: 'auditor@example.org' };
const lists = ['projects', 'datasets', 'contracts', 'partners', 'cohorts'];

describe('records in the console', () => {
  let system: ConsoleSystem;
  let visitor: Visitor;

  beforeAll(async () => {
    system = await ConsoleSystem.start();
    await system.addPerson(auditor.login, ['auditor']);
    await write('POST', 'projects', { acronym: 'ALPHA', name: 'Ageing well' });
    await write('POST', 'datasets', { name: 'Sleep diaries', project: 'ALPHA' });
    await write('POST', 'partners', { name: 'University of Somewhere', acronym: 'UoS' });
    await write('POST', 'cohorts', { name: 'The thousand', institutes: ['University of Somewhere'] });
    await write('POST', 'cohorts/1/publish', {});
    await write('POST', 'contracts', { name: 'Transfer of diaries', project_id: 1 });
  });

  beforeEach(async () => {
    visitor = await Visitor.come(system.origin);
  });

  afterEach(async () => {
    await visitor.leave();
    expect(visitor.complaints).toEqual([]);
  });

  afterAll(() => system.stop());

  async function write(method: string, path: string, body: object): Promise<void> {
    const options = { method, key: globalKey, body: JSON.stringify(body) };
    const { status } = await system.catalog.fetch(`/api/${path}`, options);
    expect([path, status < 300]).toEqual([path, true]);
  }

  const stored = async (path: string): Promise<Record<string, unknown>> =>
    (await (await system.catalog.fetch(`/api/${path}`, { key: globalKey })).json()) as Record<string, unknown>;
  const description = () => visitor.page.getByRole('textbox', { name: 'Description', exact: true });
  const save = () => visitor.page.getByRole('button', { name: 'Save', exact: true }).click();

  it('should be shown without anything that axe finds, on a phone in the dark too', async () => {
    await visitor.signIn();
    for (const list of lists) {
      for (const path of [`/${list}`, `/${list}/1`]) {
        await visitor.open(path);
        await visitor.page.locator(path.endsWith('1') ? 'form' : 'table').waitFor();
        expect([path, await visitor.violations()]).toEqual([path, []]);
      }
    }
    await visitor.page.setViewportSize({ width: 390, height: 800 });
    await visitor.page.emulateMedia({ colorScheme: 'dark' });
    for (const path of ['/datasets', '/datasets/1']) {
      await visitor.open(path);
      await visitor.page.locator(path.endsWith('1') ? 'form' : 'table').waitFor();
      expect([path, await visitor.violations()]).toEqual([path, []]);
      const overflow = await visitor.page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect([path, overflow]).toEqual([path, 0]);
    }
  });

  it('should come back from their form as they were, whatever is in them', async () => {
    await visitor.signIn();
    for (const list of lists) {
      const before = await stored(`${list}/1`);
      await visitor.open(`/${list}/1`);
      await save();
      await visitor.page.getByRole('alert').getByText('Saved.').waitFor();
      expect(await stored(`${list}/1`)).toMatchObject(before);
    }
  });

  it('should show what somebody else has stored meanwhile, and let the person decide', async () => {
    await visitor.signIn(undefined, '/datasets/1');
    await description().fill('Mine');
    await write('PATCH', 'datasets/1', { description: 'Theirs' });
    await save();
    const dialog = visitor.page.getByRole('dialog', { name: 'Somebody else has changed this meanwhile' });
    await dialog.getByRole('row', { name: 'Description Theirs Mine' }).waitFor();
    expect(await visitor.violations()).toEqual([]);
    expect(await stored('datasets/1')).toMatchObject({ description: 'Theirs' });
    await dialog.getByRole('button', { name: 'Save mine over it' }).click();
    await visitor.page.getByRole('alert').getByText('Saved.').waitFor();
    expect(await stored('datasets/1')).toMatchObject({ description: 'Mine' });
  });

  it('should not be left with unsaved work unless the person says so', async () => {
    await visitor.signIn(undefined, '/datasets/1');
    await description().fill('Half a thought');
    await visitor.page.getByRole('link', { name: 'Partners', exact: true }).click();
    const dialog = visitor.page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.getByRole('button', { name: 'Stay' }).click();
    expect(await description().inputValue()).toBe('Half a thought');
    await visitor.page.getByRole('link', { name: 'Partners', exact: true }).click();
    await dialog.getByRole('button', { name: 'Leave without saving' }).click();
    await visitor.heading('Partners');
  });

  it('should be saved although the session has ended, once the person has signed in again', async () => {
    await visitor.signIn(undefined, '/datasets/1');
    await description().fill('Written before the session ended');
    await system.catalog.dataSource.query('DELETE FROM sessions');
    await save();
    await visitor.page.getByText('Your session has ended.').waitFor();
    expect(await visitor.violations()).toEqual([]);
    await visitor.fillIn(admin);
    await visitor.page.getByRole('alert').getByText('Saved.').waitFor();
    expect(await stored('datasets/1')).toMatchObject({ description: 'Written before the session ended' });
  });

  it('should be published and taken back', async () => {
    await visitor.signIn(undefined, '/partners/1');
    await visitor.page.getByRole('button', { name: 'Publish', exact: true }).click();
    await visitor.page.getByRole('button', { name: 'Unpublish' }).waitFor();
    expect(await stored('partners/1')).toMatchObject({ published: true });
    await visitor.page.getByRole('button', { name: 'Unpublish' }).click();
    await visitor.page.getByRole('button', { name: 'Publish', exact: true }).waitFor();
    expect(await stored('partners/1')).toMatchObject({ published: false });
  });

  it('should be read by an auditor, who is offered nothing that is refused to them', async () => {
    await visitor.signIn(auditor, '/partners');
    await visitor.page.getByRole('link', { name: 'University of Somewhere' }).click();
    await visitor.heading('University of Somewhere');
    await visitor.page.getByRole('tab', { name: 'History' }).waitFor();
    const buttons = visitor.page.getByRole('main').getByRole('button', { name: /Save|Remove|Publish|Create/ });
    expect(await buttons.count()).toBe(0);
    expect(await visitor.page.getByRole('textbox', { name: 'Acronym' }).isDisabled()).toBe(true);
    await visitor.open('/partners');
    await visitor.page.getByRole('table').waitFor();
    expect(await visitor.page.getByRole('link', { name: 'New partner' }).count()).toBe(0);
  });

  it('should be removed, unless something refers to them, which is then said', async () => {
    await write('POST', 'partners', { name: 'Nobody needs it' });
    await visitor.signIn(undefined, '/partners');
    const { page } = visitor;
    const remove = async (name: string): Promise<void> => {
      await page.getByRole('link', { name }).click();
      await visitor.heading(name);
      await page.getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    };
    await remove('Nobody needs it');
    await visitor.heading('Partners');
    await remove('University of Somewhere');
    await page.getByRole('dialog').getByRole('alert').getByText('record.in_use').waitFor();
  });
});
