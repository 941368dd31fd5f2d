import { Command, InvalidArgumentError, type CommandUnknownOpts } from '@rdc/cli';
import { maxReasonLength } from '../datasets/datasets.query.js';
import { WithdrawnDatasets } from '../datasets/withdrawn-datasets.js';
import { ImportsService } from '../imports/imports.service.js';
import { commandRequester } from './command-requester.js';
import { sharedOptions, type CommandContext } from './command.js';
import { follow } from './follow.js';

/** `withdraw`: moves an imported dataset to the folder of withdrawn datasets. */
export function withdrawCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('withdraw')
    .description('withdraw an imported dataset: its files are moved aside and kept')
    .argument('<dataset_id>', 'id of the dataset')
    .requiredOption('--reason <text>', 'reason of the withdrawal, which is kept permanently', reasonOf)
    .option(...sharedOptions.noWait)
    .option(...sharedOptions.json)
    .action(async (id, { reason, wait, json = false }) => {
      const services = await context.open();
      const { import: withdrawal } = await services.get(WithdrawnDatasets).withdraw(id, reason, commandRequester());
      if (!wait) {
        context.print(json ? JSON.stringify(withdrawal) : `${withdrawal.id}  ${withdrawal.state}`);
        return;
      }
      const options = { imports: services.get(ImportsService), context, json, label: 'withdrawing' };
      context.setExitCode(await follow([withdrawal.id], options));
    });
}

/** Returns the trimmed reason. @throws InvalidArgumentError if it is empty or too long */
export function reasonOf(text: string): string {
  const reason = text.trim();
  if (reason !== '' && reason.length <= maxReasonLength) return reason;
  throw new InvalidArgumentError(`It must be a text of 1 to ${String(maxReasonLength)} characters.`);
}
