import { Readable } from 'node:stream';
import { networkOf } from '@rdc/auth';
import { UsageError } from '@rdc/cli';
import { grace, password, startPeopleCatalog, statusOf, type PeopleCatalog } from '../../../test/people-catalog.js';
import { Browser } from '../../../test/support/browser.js';
import type { Command } from '../../platform/command-line/command.js';
import { releaseCommand, throttledCommand } from '../rate-limits/throttle.commands.js';
import { catalogSettings } from '../../app/catalog.settings.js';
import { passwordCommand } from './password.command.js';
import { commandContext } from '../../app/command-context.js';

describe('commands for accounts', () => {
  let catalog: PeopleCatalog;
  const wanted = 'seven quiet otters paddle';

  beforeAll(async () => {
    catalog = await startPeopleCatalog({ RATE_LIMIT_FAILED_LOGINS: '0', TRUSTED_PROXIES: '127.0.0.1' });
  });
  beforeEach(() => catalog.reset());
  afterAll(() => catalog.stop());

  const run = async (command: Command, ...args: string[]): Promise<string[]> => {
    const lines: string[] = [];
    await command.run(
      args,
      commandContext(catalogSettings(catalog.environment), (line) => lines.push(line)),
    );
    return lines;
  };
  const typed = (text: string): Command => passwordCommand(Readable.from([text]));
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
      expect(await run(typed(`${wanted}\nnot this\n`), 'GRACE@example.org')).toEqual([
        expect.stringContaining('is set'),
      ]);
      expect([await statusOf(browser), await signIn(wanted), await signIn(password)]).toEqual([403, 200, 403]);
      expect((await catalog.lastEntries(1, 'users'))[0]).toMatchObject({
        ...{ actor: 'command line', action: 'set-password', record_id: '7', address: null },
      });
    });

    it('should print a generated password, and remove the second factor with the flag', async () => {
      await catalog.query(`INSERT INTO second_factors (user_id, sealed_secret, confirmed_at) VALUES (7, 'x', now())`);
      const [first = ''] = await run(passwordCommand(process.stdin), grace.login, '--generate');
      expect(first).toMatch(/^\w{24}$/);
      expect(await signIn(first)).toBe(403);
      const [made = ''] = await run(
        passwordCommand(process.stdin),
        grace.login,
        '--generate',
        '--remove-second-factor',
      );
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
      await expect(run(typed(text), email)).rejects.toThrow(UsageError);
      expect(await signIn(password)).toBe(200);
    });

    it('should refuse to read a password from a terminal', async () => {
      const terminal = Object.assign(Readable.from([]), { isTTY: true });
      await expect(run(passwordCommand(terminal), grace.login)).rejects.toThrow('--generate');
    });
  });

  it('should list and release throttled accounts and networks', async () => {
    await block('account', 'user:7');
    await block('wrong_key', networkOf('2001:db8:0:1::9'));
    const lines = (await run(throttledCommand)).join('\n');
    expect(lines).toContain(`account ${grace.login}: 999 failures of 20, until`);
    expect(lines).toContain('wrong_key 2001:db8:0:1::');
    expect(await run(releaseCommand, grace.login)).toEqual([expect.stringContaining('accepted again')]);
    expect(await run(releaseCommand, '2001:db8:0:1::5')).toEqual([expect.stringContaining('accepted again')]);
    expect(await run(throttledCommand)).toEqual(['No account and no network is refused.']);
    expect(await catalog.lastEntries(1, 'throttles')).toMatchObject([{ actor: 'command line', action: 'release' }]);
  });
});
