import { Command, type CommandUnknownOpts } from '@rdc/cli';
import { WithdrawnDatasets } from '../datasets/withdrawn-datasets.js';
import { ImportsService } from '../imports/imports.service.js';
import { commandRequester } from './command-requester.js';
import { sharedOptions, type CommandContext } from './command.js';
import { follow, printImport } from './follow.js';
import { reasonOf } from './withdraw.command.js';

/** `purge`: removes the files of a withdrawn dataset. */
export function purgeCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('purge')
    .description('remove the files of a withdrawn dataset permanently; the record of the withdrawal stays')
    .argument('<dataset_id>', 'id of the dataset')
    .requiredOption('--confirm <dataset_id>', 'id of the dataset again, because a purge cannot be undone')
    .requiredOption('--reason <text>', 'reason of the purge, which is kept permanently', reasonOf)
    .option('--withdrawal <import_id>', 'withdrawal to purge, if the files of several are stored')
    .option(...sharedOptions.noWait)
    .option(...sharedOptions.json)
    .action(async (id, { wait, json = false, ...body }) => {
      const services = await context.open();
      const { import: purge } = await services.get(WithdrawnDatasets).purge(id, body, commandRequester());
      if (!wait) printImport(purge, context, json);
      else {
        const options = { imports: services.get(ImportsService), context, json, label: 'purging' };
        context.setExitCode(await follow([purge.id], options));
      }
    });
}
