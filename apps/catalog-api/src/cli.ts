import { processOutput, runCommandLine } from '@rdc/cli';
import { endOnSignals } from '@rdc/http';
import { commandContext } from './app/command-context.js';
import { catalogProgram } from './app/commands.js';
import { failureMessage } from './app/failure-message.js';
import { catalogSettings } from './app/catalog.settings.js';

endOnSignals();
process.exitCode = await runCommandLine(
  catalogProgram(() => commandContext(catalogSettings(), processOutput.print)),
  process.argv.slice(2),
  (error) => ({ message: failureMessage(error), code: 1 }),
);
