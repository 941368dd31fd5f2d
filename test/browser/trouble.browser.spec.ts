import { consoleSuite } from './support/console-suite.ts';
import { expectSoon } from './support/visitor.ts';

/** A word that is longer than a line of a phone. */
const longWord = 'Lebensmittelunverträglichkeit'.repeat(8);

const fault = {
  status: 500,
  contentType: 'application/json',
  body: JSON.stringify({ status: 'Error', description: 'Something broke here.', more: { code: 'server.fault' } }),
};

/** Returns the side of a heading's first letter on which its last character is. */
const sideOfTheEnd = `(() => {
  const text = document.querySelector('h1').firstChild;
  const placeOf = (at) => {
    const range = document.createRange();
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    return range.getBoundingClientRect().left;
  };
  return placeOf(text.length - 1) < placeOf(0) ? 'left' : 'right';
})()`;

describe('the console in trouble', () => {
  let person: string;
  const { system, visitor } = consoleSuite(async () => {
    await system.start();
    const { id } = await system.send<{ id: number }>('POST', '/api/admin/users', { last_name: 'Byron' });
    person = String(id);
    await system.send('POST', '/api/datasets', { name: longWord });
    await system.send('POST', '/api/datasets', { name: 'מחקר שינה (2026).' });
  });

  it('should keep unsaved text when the page cannot be read again', async () => {
    await visitor.signIn(undefined, `/users/${person}`);
    const name = visitor.main.getByLabel('First name');
    await name.fill('Augusta');
    await visitor.page.route(`**/api/admin/users/${person}`, (route) => route.fulfill(fault));
    await visitor.press('Make a key');
    await visitor.confirm('Make a key');
    await visitor.confirm('I have kept it');
    await visitor.main.getByRole('alert').getByText('Something broke here.').waitFor();
    expect(await name.inputValue()).toBe('Augusta');
    await visitor.page.unrouteAll();
    await visitor.press('Try again');
    await visitor.gone(visitor.main.getByRole('alert'));
    await visitor.press('Save');
    await visitor.heading('Augusta Byron');
  });

  it('should create one person when the button is clicked twice quickly', async () => {
    await visitor.signIn(undefined, '/users/new');
    await visitor.main.getByLabel(/^Last name/).fill('Hopper');
    await visitor.button('Create').evaluate((button: { click: () => void }) => {
      button.click();
      button.click();
    });
    await visitor.heading('Hopper');
    const { items } = await system.stored<{ items: object[] }>('/api/admin/users?q=Hopper');
    expect(items).toHaveLength(1);
  });

  it('should report a failed sign-out, and accept a sign-out in another window', async () => {
    await visitor.signIn();
    const account = visitor.page.getByRole('button', { name: /^Account of/ });
    const leave = visitor.page.getByRole('menuitem', { name: 'Sign out' });
    await visitor.page.route('**/api/session', (route) => route.fulfill(fault));
    await account.click();
    await leave.click();
    await visitor.page.getByRole('alert').getByText('You are still signed in').waitFor();
    await visitor.page.unrouteAll();
    await system.catalog.dataSource.query('DELETE FROM sessions');
    await visitor.signOut();
  });

  it('should mark the current page by focus and navigation after a sign-in', async () => {
    await visitor.signIn();
    await expectSoon(() => visitor.page.evaluate('document.activeElement.textContent'), 'Overview');
    const here = visitor.page.getByRole('navigation').locator('[aria-current=page]');
    expect(await here.allTextContents()).toEqual(['Overview']);
    await visitor.goTo('Partners');
    await expectSoon(() => here.allTextContents(), ['Partners']);
  });

  it('should show that a page is loading', async () => {
    await visitor.signIn();
    let arrive: () => void = () => undefined;
    const arrival = new Promise<void>((resolve) => (arrive = resolve));
    await visitor.page.route('**/assets/schedule*.js', async (route) => {
      await arrival;
      await route.continue();
    });
    await visitor.goTo('Schedule');
    await visitor.main.getByRole('status', { name: 'Loading …' }).waitFor();
    await visitor.gone(visitor.page.getByRole('heading', { level: 1 }));
    arrive();
    await visitor.heading('Schedule');
  });

  it('should exclude the hidden navigation from the keyboard', async () => {
    await visitor.page.setViewportSize({ width: 320, height: 640 });
    await visitor.signIn();
    const open = visitor.page.getByRole('button', { name: 'Open the navigation' });
    const navigation = visitor.page.getByRole('navigation');
    const projects = navigation.getByRole('link', { name: 'Projects', exact: true });
    expect(await projects.count()).toBe(0);
    await open.press('Enter');
    await projects.press('Enter');
    await visitor.heading('Projects');
    await expectSoon(() => projects.count(), 0);
  });

  it('should fit on a phone when words are long', async () => {
    await visitor.page.setViewportSize({ width: 320, height: 640 });
    await visitor.signIn(undefined, '/datasets/1');
    await visitor.heading(longWord);
    await visitor.fits();
    expect(await visitor.violations()).toEqual([]);
    await visitor.open('/datasets');
    await visitor.link(longWord).waitFor();
    await visitor.fits();
  });

  it('should show text from right to left in its own direction', async () => {
    await visitor.signIn(undefined, '/datasets/2');
    await visitor.heading('מחקר שינה (2026).');
    await expectSoon(() => visitor.page.evaluate<string>(sideOfTheEnd), 'left');
  });
});
