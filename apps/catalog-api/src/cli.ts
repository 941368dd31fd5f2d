import { processOutput, runCommandLine } from '@rdc/cli';
import { endOnSignals } from '@rdc/http';
import { commandContext } from './app/command-context.js';
import { commands } from './app/commands.js';
import { failureMessage } from './app/failure-message.js';
import { catalogSettings } from './app/catalog.settings.js';

endOnSignals();
process.exitCode = await runCommandLine(process.argv.slice(2), {
  name: 'cli.js',
  commands,
  context: () => commandContext(catalogSettings(), processOutput.print),
  failure: (error) => ({ message: failureMessage(error), code: 1 }),
});
