import { consoleSuite } from './support/console-suite.ts';
import { admin } from './support/console-system.ts';
import { expectSoon } from './support/visitor.ts';

describe('signing in to the console', () => {
  const { visitor } = consoleSuite();

  it('should report a wrong password, and show the requested page after the right one', async () => {
    await visitor.open('/datasets');
    expect(await visitor.violations()).toEqual([]);
    await visitor.fillIn({ ...admin, password: 'a wrong password' });
    await visitor.page.getByRole('alert').getByText('The login or the password is wrong').waitFor();
    await visitor.fillIn(admin);
    await visitor.heading('Datasets');
  });

  it('should report an unknown address', async () => {
    await visitor.signIn(admin, '/nothing/here');
    await visitor.heading('There is nothing at this address');
    expect(await visitor.violations()).toEqual([]);
  });

  it('should sign out', async () => {
    await visitor.signIn();
    await visitor.signOut();
    await expectSoon(async () => (await visitor.context.cookies()).filter(({ value }) => value !== ''), []);
  });
});
