import { Secret, TOTP } from 'otpauth';
import { Browser } from '../../apps/catalog-api/test/support/browser.ts';
import { consoleSuite } from './support/console-suite.ts';
import { admin } from './support/console-system.ts';

describe('passwords and second factors in the console', () => {
  const { system, visitor } = consoleSuite();
  const person = { login: 'grace@example.org', password: 'seven quiet otters paddle' };

  it('should set a password by a one-time link, once, and sign in with it', async () => {
    await system.addPerson(person.login, []);
    const [{ id } = { id: 0 }] = await system.catalog.dataSource.query<{ id: number }[]>(
      'SELECT id FROM users WHERE email = $1',
      [person.login],
    );
    const { url } = await system.send<{ url: string }>('POST', `/api/admin/users/${String(id)}/password-link`);
    const page = `/set-password${new URL(url).hash}`;
    await visitor.open(page);
    await visitor.heading('Set your password');
    expect(visitor.page.url()).toBe(`${system.origin}/console/set-password`);
    expect(await visitor.violations()).toEqual([]);
    await fillIn('password1234', 'password12345');
    await visitor.page.getByText('The two passwords differ.').waitFor();
    await fillIn('password1234', 'password1234');
    await visitor.page.getByRole('alert').getByText('too easy to guess').waitFor();
    await fillIn(person.password, person.password);
    await visitor.page.getByText('Your password is set.').waitFor();
    await visitor.link('Sign in').click();
    await visitor.fillIn(person);
    await visitor.page.getByRole('button', { name: /^Account of/ }).waitFor();
    await visitor.page.goto('about:blank');
    await visitor.open(page);
    await fillIn('nine loud herons wade', 'nine loud herons wade');
    await visitor.page.getByRole('alert').getByText('The link is invalid').waitFor();
  });

  it('should report an address without a link', async () => {
    await visitor.open('/set-password');
    await visitor.page.getByText('This address holds no link.').waitFor();
    expect(await visitor.violations()).toEqual([]);
  });

  it('should request the code of a second factor after the right password only', async () => {
    const browser = new Browser(system.origin);
    await browser.signIn(admin.login, admin.password);
    const proof = { method: 'POST', json: { current_password: admin.password } };
    const begun = await browser.fetch('/api/session/second-factor', proof);
    const { secret } = (await begun.json()) as { secret: string };
    const codeOf = (steps: number): string =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
    const confirmation = { method: 'POST', json: { code: codeOf(-1) } };
    expect((await browser.fetch('/api/session/second-factor/confirmation', confirmation)).status).toBe(200);
    await visitor.open();
    await visitor.fillIn({ ...admin, password: 'a wrong password' });
    await visitor.page.getByRole('alert').getByText('The login or the password is wrong').waitFor();
    await visitor.fillIn(admin);
    await visitor.page.getByLabel(/^Code/).fill('000000');
    expect(await visitor.violations()).toEqual([]);
    await visitor.button('Sign in').click();
    await visitor.page.getByRole('alert').getByText('The code is wrong').waitFor();
    await visitor.page.getByLabel(/^Code/).fill(codeOf(1));
    await visitor.button('Sign in').click();
    await visitor.page.getByRole('button', { name: /^Account of/ }).waitFor();
  });

  async function fillIn(password: string, again: string): Promise<void> {
    await visitor.page.getByLabel(/^New password(?!,)/).fill(password);
    await visitor.page.getByLabel(/^New password, once more/).fill(again);
    await visitor.button('Set the password').click();
  }
});
