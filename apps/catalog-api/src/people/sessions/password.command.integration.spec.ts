import { Readable } from 'node:stream';
import { networkOf } from '@rdc/auth';
import { grace, password, startPeopleCatalog, statusOf, type PeopleCatalog } from '../../../test/people-catalog.js';
import { Browser } from '../../../test/support/browser.js';
import { runCatalog } from '../../../test/support/command-line.js';
import type { PasswordInput } from './password.command.js';

describe('commands for accounts', () => {
  let catalog: PeopleCatalog;
  const wanted = 'seven quiet otters paddle';

  beforeAll(async () => {
    catalog = await startPeopleCatalog({ RATE_LIMIT_FAILED_LOGINS: '0', TRUSTED_PROXIES: '127.0.0.1' });
  });
  beforeEach(() => catalog.reset());
  afterAll(() => catalog.stop());

  const run = (...words: string[]): Promise<string[]> => runCatalog(catalog.environment, words);
  const setPassword = (email: string, input: PasswordInput): Promise<string[]> =>
    runCatalog(catalog.environment, ['password', email], input);
  const signIn = async (secret: string): Promise<number> =>
    (await new Browser(catalog.url).signIn(grace.login, secret)).status;
  const block = (sort: string, subject: string): Promise<unknown> =>
    catalog.query(
      `INSERT INTO failure_counts (sort, subject, count, ends_at) VALUES ($1, $2, 999, now() + interval '9 minutes')`,
      [sort, subject],
    );

  describe('password', () => {
    it('should set a password from the first line, end all sessions and release the account', async () => {
      const browser = await catalog.signedIn();
      await block('account', 'user:7');
      expect(await setPassword('GRACE@example.org', Readable.from([`${wanted}\nnot this\n`]))).toEqual([
        expect.stringContaining('is set'),
      ]);
      expect([await statusOf(browser), await signIn(wanted), await signIn(password)]).toEqual([403, 200, 403]);
      expect((await catalog.lastEntries(1, 'users'))[0]).toMatchObject({
        ...{ actor: 'command line', action: 'set-password', record_id: '7', address: null },
      });
    });

    it('should print a generated password, and remove the second factor with the flag', async () => {
      await catalog.query(`INSERT INTO second_factors (user_id, sealed_secret, confirmed_at) VALUES (7, 'x', now())`);
      const [first = ''] = await run('password', grace.login, '--generate');
      expect(first).toMatch(/^\w{24}$/);
      expect(await signIn(first)).toBe(403);
      const [made = ''] = await run('password', grace.login, '--generate', '--remove-second-factor');
      expect(await signIn(made)).toBe(200);
      const trail = JSON.stringify(await catalog.query('SELECT * FROM audit_entries'));
      expect(trail).toContain('remove-second-factor');
      expect(trail).not.toContain(made);
    });

    it.each([
      ['a weak password', 'password1234', grace.login],
      ['no password', '', grace.login],
      ['an account that does not exist', wanted, 'nobody@example.org'],
    ])('should refuse %s, and change nothing', async (_, text, email) => {
      await expect(setPassword(email, Readable.from([text]))).rejects.toThrow('exit code 2');
      expect(await signIn(password)).toBe(200);
    });

    it('should refuse to read a password from a terminal', async () => {
      const terminal = Object.assign(Readable.from([]), { isTTY: true });
      await expect(setPassword(grace.login, terminal)).rejects.toThrow('--generate');
    });
  });

  it('should list and release throttled accounts and networks', async () => {
    await block('account', 'user:7');
    await block('wrong_key', networkOf('2001:db8:0:1::9'));
    const lines = (await run('throttled')).join('\n');
    expect(lines).toContain(`account ${grace.login}: 999 failures of 20, until`);
    expect(lines).toContain('wrong_key 2001:db8:0:1::');
    expect(await run('release', grace.login)).toEqual([expect.stringContaining('accepted again')]);
    expect(await run('release', '2001:db8:0:1::5')).toEqual([expect.stringContaining('accepted again')]);
    expect(await run('throttled')).toEqual(['No account and no network is refused.']);
    expect(await catalog.lastEntries(1, 'throttles')).toMatchObject([{ actor: 'command line', action: 'release' }]);
  });
});
