import { UsageError } from '@rdc/cli';
import { catalogSettings } from '../platform/settings/catalog.settings.js';
import { commands } from './commands.js';
import { commandContext } from './command-context.js';

describe('every command', () => {
  // Nobody listens there: a command that went on would fail otherwise.
  const settings = catalogSettings({
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    KEY_HASH_SECRET: 'x'.repeat(64),
  });
  const context = commandContext(settings, () => undefined);

  it.each(commands)('should refuse an option it does not know: $usage', async (command) => {
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
  ])('should refuse a word too many: %s', async (name, args) => {
    const command = commands.find(({ usage }) => usage.startsWith(name));
    await expect(command?.run(args, context)).rejects.toThrow(UsageError);
  });
});
