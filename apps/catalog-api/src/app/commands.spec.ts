import { UsageError } from '@rdc/cli';
import { catalogSettings } from './catalog.settings.js';
import { commands } from './commands.js';
import { commandContext } from './command-context.js';

describe('every command', () => {
  // No server listens on this port, so a command that does not check its arguments fails with another error.
  const settings = catalogSettings({
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    KEY_HASH_SECRET: 'x'.repeat(64),
  });
  const context = commandContext(settings, () => undefined);

  it.each(commands)('should refuse an unknown option: $usage', async (command) => {
    await expect(command.run(['a', '--surplus'], context)).rejects.toThrow(UsageError);
  });

  it.each([
    ['migrate', ['surplus']],
    ['rebuild documents', ['surplus']],
    ['import full', ['package.json', 'surplus']],
    ['export', ['--full', 'surplus']],
    ['key user', ['ada@example.org', 'surplus']],
    ['key endpoint', ['Portal', '60', 'surplus']],
    ['password', ['ada@example.org', 'surplus']],
    ['throttled', ['surplus']],
    ['release', ['192.0.2.1', 'surplus']],
  ])('should refuse a surplus argument: %s', async (name, args) => {
    const command = commands.find(({ usage }) => usage.startsWith(name));
    await expect(command?.run(args, context)).rejects.toThrow(UsageError);
  });
});
