import { processOutput, runCommandLine } from '@rdc/cli';
import { endOnSignals } from '@rdc/http';
import { commands } from './cli/commands.js';
import { failureMessage } from './failure-message.js';
import { catalogSettings } from './settings.js';

endOnSignals();
process.exitCode = await runCommandLine(process.argv.slice(2), {
  name: 'cli.js',
  commands,
  context: () => ({ settings: catalogSettings(), print: processOutput.print }),
  failure: (error) => ({ message: failureMessage(error), code: 1 }),
});
