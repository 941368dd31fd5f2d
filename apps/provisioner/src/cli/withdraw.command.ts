import { argumentsOf, UsageError } from '@rdc/cli';
import { DatasetsService } from '../datasets/datasets.service.js';
import { ImportsService } from '../imports/imports.service.js';
import { commandRequester } from './command-requester.js';
import type { Command } from './command.js';
import { follow } from './follow.js';

const options = {
  reason: { type: 'string' },
  'no-wait': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

const maxReasonLength = 1_000;

/** `withdraw`: moves an imported dataset to the folder of withdrawn datasets. */
export const withdrawCommand: Command = {
  usage: 'withdraw <dataset_id> --reason TEXT [--no-wait] [--json]',
  summary: 'withdraw an imported dataset: its files are moved aside and kept',
  async run(args, context) {
    const { values, positionals } = argumentsOf(args, options);
    const [id, ...more] = positionals;
    if (id === undefined || more.length > 0) throw new UsageError('Specify exactly one dataset id.');
    const reason = values.reason?.trim() ?? '';
    if (reason === '' || reason.length > maxReasonLength) {
      throw new UsageError(
        `--reason is required: a text of 1 to ${String(maxReasonLength)} characters, which is kept permanently.`,
      );
    }
    const services = await context.open();
    const { import: withdrawal } = await services.get(DatasetsService).withdraw(id, reason, commandRequester());
    const imports = services.get(ImportsService);
    if (values['no-wait']) {
      context.print(values.json ? JSON.stringify(withdrawal) : `${withdrawal.id}  ${withdrawal.state}`);
      return undefined;
    }
    return follow([withdrawal.id], { imports, context, json: values.json, label: 'withdrawing' });
  },
};
