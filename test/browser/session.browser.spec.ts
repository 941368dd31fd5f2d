import { admin, ConsoleSystem } from './support/console-system.ts';
import { Visitor } from './support/visitor.ts';

describe('signing in to the console', () => {
  let system: ConsoleSystem;
  let visitor: Visitor;

  beforeAll(async () => {
    system = await ConsoleSystem.start();
  });

  beforeEach(async () => {
    visitor = await Visitor.come(system.origin);
  });

  afterEach(async () => {
    await visitor.leave();
    expect(visitor.complaints).toEqual([]);
  });

  afterAll(() => system.stop());

  it('should refuse a wrong password in words, then let in and show the page that was asked for', async () => {
    await visitor.open('/datasets');
    expect(await visitor.violations()).toEqual([]);
    await visitor.fillIn({ ...admin, password: 'a wrong password' });
    await visitor.page.getByRole('alert').getByText('The login or the password is wrong').waitFor();
    await visitor.fillIn(admin);
    await visitor.heading('Datasets');
  });

  it('should sign out', async () => {
    await visitor.signIn();
    await visitor.page.getByRole('button', { name: /^Account of/ }).click();
    await visitor.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await visitor.page.getByLabel(/^Password/).waitFor();
    expect((await visitor.context.cookies()).filter(({ value }) => value !== '')).toEqual([]);
  });
});
