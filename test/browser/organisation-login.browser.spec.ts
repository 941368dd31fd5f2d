import { startIssuer, type TestIssuer } from '../../apps/catalog-api/test/support/oidc-issuer.ts';
import { consoleSuite } from './support/console-suite.ts';
import { expectSoon } from './support/visitor.ts';

const grace = {
  sub: 'grace-subject',
  email: 'grace@example.org',
  email_verified: true,
  given_name: 'Grace',
  family_name: 'Hopper',
  roles: ['data_steward'],
};
const signIn = 'Sign in with your organisation';

describe('signing in to the console at the identity provider', () => {
  let issuer: TestIssuer;
  const { system, visitor } = consoleSuite(async () => {
    // The name differs from the console's, so that the browser treats the provider as another site.
    issuer = await startIssuer(() => [`${system.origin}/api/session/oidc/callback`], { name: 'localhost' });
    await system.start({ ...issuer.settings, OIDC_ROLES_CLAIM: 'roles' });
    await system.send('POST', '/api/datasets', { name: 'Brain scans' });
  });

  beforeEach(() => {
    issuer.next = grace;
  });

  afterAll(() => issuer.stop());

  const account = () => visitor.page.getByRole('button', { name: 'Account of Grace Hopper' });
  const here = (): Promise<string> => visitor.page.evaluate<string>('location.href');
  const refusedWith = (words: string) => visitor.page.getByRole('alert').getByText(words).waitFor();

  it('should lead to the requested page with its search', async () => {
    const path = '/datasets?q=brain&sort=-changed';
    await visitor.open(path);
    await visitor.link(signIn).waitFor();
    expect(await visitor.violations()).toEqual([]);
    await visitor.link(signIn).click();
    await visitor.link('Brain scans').waitFor();
    await account().waitFor();
    expect(await here()).toBe(`${system.origin}/console${path}`);
    await visitor.link('Brain scans').click();
    await visitor.heading('Brain scans');
  });

  it('should report a cancelled sign-in, and allow another attempt', async () => {
    issuer.next = null;
    await visitor.open('/datasets?q=brain');
    await visitor.link(signIn).click();
    await refusedWith('Your organisation did not confirm who you are');
    expect(await here()).toBe(`${system.origin}/console/datasets?q=brain`);
    expect(await visitor.violations()).toEqual([]);
    issuer.next = grace;
    await visitor.link(signIn).click();
    await visitor.link('Brain scans').waitFor();
    await visitor.gone(visitor.page.getByRole('alert'));
  });

  it('should state the reason of a refused sign-in, and still accept a password', async () => {
    issuer.next = { ...grace, sub: 'unverified', email: 'unverified@example.org', email_verified: false };
    await visitor.open();
    await visitor.link(signIn).click();
    await refusedWith('Your account may not come in');
    await visitor.open('/datasets#sign-in=%3Cb%3E');
    await visitor.link(signIn).waitFor();
    await visitor.gone(visitor.page.getByRole('alert'));
    await visitor.signIn();
  });

  it('should sign out of the console although the session at the identity provider continues', async () => {
    await visitor.open('/datasets');
    await visitor.link(signIn).click();
    await visitor.link('Brain scans').waitFor();
    await visitor.signOut();
    const names = async (): Promise<string[]> =>
      (await visitor.context.cookies(system.origin)).filter(({ value }) => value !== '').map(({ name }) => name);
    await expectSoon(names, []);
    await visitor.page.reload();
    await visitor.link(signIn).click();
    await visitor.link('Brain scans').waitFor();
  });

  it('should keep unsaved work when the session ends and the person signs in in another window', async () => {
    await visitor.open('/datasets/1/edit');
    await visitor.link(signIn).click();
    const description = visitor.page.getByRole('textbox', { name: 'Description', exact: true });
    await description.fill('Written before the session ended');
    await system.catalog.dataSource.query('DELETE FROM sessions');
    await visitor.press('Save');
    const opened = visitor.context.waitForEvent('page');
    await visitor.dialog().getByRole('link', { name: signIn }).click();
    const other = await opened;
    await other.getByRole('button', { name: 'Account of Grace Hopper' }).waitFor();
    await other.close();
    // The event that a browser sends to a page that becomes visible again. Here, both windows are always visible.
    await visitor.page.evaluate('document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))');
    await visitor.page.getByRole('alert').getByText('Saved.').waitFor();
    await visitor.gone(visitor.dialog());
    expect(await system.stored('/api/datasets/1')).toMatchObject({ description: 'Written before the session ended' });
  });
});
