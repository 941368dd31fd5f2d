import { Browser } from '../../apps/catalog-api/test/support/browser.ts';
import { consoleSuite } from './support/console-suite.ts';
import { admin } from './support/console-system.ts';

describe('the audit trail in the console', () => {
  const { system, visitor } = consoleSuite(async () => {
    await system.start();
    await attackAccount();
    await system.addPerson(auditor.login, ['auditor']);
  });
  const auditor = { login: 'auditor@example.org', password: admin.password };
  let id = 0;

  /** A wrong password, a reset by a one-time link, and a stolen session that an administrator ends. */
  const attackAccount = async (): Promise<void> => {
    const grace = { first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.org' };
    ({ id } = await system.send<{ id: number }>('POST', '/api/admin/users', grace));
    const link = await system.send<{ url: string }>('POST', `/api/admin/users/${String(id)}/password-link`, {
      add_password: true,
    });
    const thief = new Browser(system.origin);
    await thief.signIn(grace.email, 'a wrong password');
    const token = new URL(link.url).hash.slice(1);
    const password = 'seven quiet otters paddle';
    await thief.fetch('/api/session/password-link', { method: 'POST', json: { token, password } });
    await thief.signIn(grace.email, password);
    const path = `/api/admin/users/${String(id)}/sessions`;
    const { results } = await system.stored<{ results: { id: string }[] }>(path);
    await system.send('DELETE', `${path}/${results[0]?.id ?? ''}`);
  };

  it('should show sign-ins, a reset and an ended session with their addresses to an auditor', async () => {
    await visitor.signIn(auditor);
    await visitor.goTo('Audit trail');
    await visitor.heading('Audit trail');
    for (const action of ['Sign-in refused', 'One-time link created', 'Password set', 'Signed in', 'Session ended'])
      await visitor.row(action).filter({ hasText: '127.0.0.1' }).first().waitFor();
    expect(await visitor.violations()).toEqual([]);
  });

  it('should narrow the list by kind, action and day', async () => {
    await visitor.signIn(auditor, '/audit?resource=sessions&action=end-session');
    await visitor.row(`Session of person ${String(id)}`).waitFor();
    expect(await visitor.row('Session ended').count()).toBe(1);
    await visitor.page.getByLabel('Last day').fill('2001-01-01');
    await visitor.page.getByText(/^Nothing fits/).waitFor();
    expect(visitor.page.url()).toContain('until=2001-01-02T00');
  });

  it('should show the difference that a change made', async () => {
    await system.send('PATCH', `/api/admin/users/${String(id)}`, { last_name: 'Murray' });
    await visitor.signIn(auditor, '/audit?resource=users&action=update');
    await visitor.row('Changed').getByRole('button', { name: 'Differences' }).click();
    await visitor.row('Changed').getByText('Murray').waitFor();
    expect(await visitor.violations()).toEqual([]);
  });

  it('should not offer the trail to a data steward', async () => {
    const steward = { login: 'steward@example.org', password: admin.password };
    await system.addPerson(steward.login, ['data_steward']);
    await visitor.signIn(steward);
    expect(await visitor.page.getByRole('link', { name: 'Audit trail' }).count()).toBe(0);
  });
});
