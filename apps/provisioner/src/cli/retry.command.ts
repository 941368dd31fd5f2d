import { Command, type CommandUnknownOpts } from '@rdc/cli';
import { ImportsService } from '../imports/imports.service.js';
import { commandRequester } from './command-requester.js';
import { sharedOptions, type CommandContext } from './command.js';
import { follow, printImport } from './follow.js';

/** `retry`: retries an import that did not finish. */
export function retryCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('retry')
    .description('retry an import, a verification, a withdrawal or a purge that did not finish')
    .argument('<import_id>', 'id of the import')
    .option(...sharedOptions.noWait)
    .option(...sharedOptions.json)
    .action(async (id, { wait, json = false }) => {
      const imports = (await context.open()).get(ImportsService);
      const retried = await imports.retry(id, commandRequester());
      if (!wait) printImport(retried, context, json);
      else context.setExitCode(await follow([retried.id], { imports, context, json, label: 'retrying' }));
    });
}
