import { Command, Option, type CommandUnknownOpts } from '@rdc/cli';
import { WithdrawnDatasets } from '../datasets/withdrawn-datasets.js';
import { sharedOptions, type CommandContext } from './command.js';
import { printListing } from './list.commands.js';
import { sizeText } from './text.js';

/** `withdrawn`: lists withdrawals. */
export function withdrawnCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('withdrawn')
    .description('list the withdrawn datasets, also those that were purged or imported again')
    .addOption(new Option('--purged <purged>', 'whether the files were purged').choices(['true', 'false'] as const))
    .option('--q <text>', 'text that the id contains')
    .option('--submission <reference>', 'submission from which the datasets were imported')
    .option(...sharedOptions.json)
    .action(async ({ json = false, ...filters }) => {
      printListing(context, await (await context.open()).get(WithdrawnDatasets).search(filters), json, [
        ['DATASET', ({ id }) => id],
        ['WITHDRAWAL', ({ withdrawal }) => withdrawal],
        ['WITHDRAWN', ({ withdrawn_at }) => withdrawn_at],
        ['PURGED', ({ purge }) => purge?.purged_at ?? '-'],
        ['FILES', ({ files }) => String(files)],
        ['SIZE', ({ bytes }) => sizeText(bytes)],
        ['REASON', ({ reason }) => reason],
      ]);
    });
}
