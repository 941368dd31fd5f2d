import { Command, type CommandUnknownOpts } from '@rdc/cli';
import { DatasetsService } from '../datasets/datasets.service.js';
import { commandRequester } from './command-requester.js';
import { sharedOptions, type CommandContext } from './command.js';
import { SubmittedImports } from './submitted-imports.js';

/** `verify`: reads imported datasets and lists every file that differs from the imported file. */
export function verifyCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('verify')
    .description('read imported files and list every missing, additional and changed file; changes nothing')
    .argument('<dataset_id...>', 'ids of the datasets')
    .option(...sharedOptions.noWait)
    .option(...sharedOptions.json)
    .action(async (ids, options) => {
      const datasets = (await context.open()).get(DatasetsService);
      const submitted = new SubmittedImports(context);
      for (const id of ids) await submitted.add(id, datasets.verify(id, commandRequester()));
      await submitted.finish('verifying', options);
    });
}
