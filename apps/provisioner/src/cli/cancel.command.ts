import { Command, type CommandUnknownOpts } from '@rdc/cli';
import { ImportsService } from '../imports/imports.service.js';
import { sharedOptions, type CommandContext } from './command.js';
import { printImport } from './follow.js';

/** `cancel`: stops an import on any worker. */
export function cancelCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('cancel')
    .description('stop an import and remove the files that it has copied')
    .argument('<import_id>', 'id of the import')
    .option(...sharedOptions.json)
    .action(async (id, { json = false }) => {
      printImport(await (await context.open()).get(ImportsService).cancel(id), context, json);
    });
}
