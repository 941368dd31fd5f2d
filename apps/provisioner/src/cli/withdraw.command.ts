import { argumentsOf, UsageError } from '@rdc/cli';
import { DatasetsService } from '../datasets/datasets.service.js';
import { ImportsService } from '../imports/imports.service.js';
import { commandRequester } from './asker.js';
import type { Command } from './command.js';
import { follow } from './follow.js';

const options = {
  reason: { type: 'string' },
  'no-wait': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

const maxReason = 1_000;

/** `withdraw`: takes an imported dataset out of sight. */
export const withdrawCommand: Command = {
  usage: 'withdraw <dataset_id> --reason TEXT [--no-wait] [--json]',
  summary: 'take an imported dataset out of sight; it is moved aside and recorded, never deleted',
  async run(args, context) {
    const { values, positionals } = argumentsOf(args, options);
    const [id, ...more] = positionals;
    if (id === undefined || more.length > 0) throw new UsageError('Name one dataset.');
    const reason = values.reason?.trim() ?? '';
    if (reason === '' || reason.length > maxReason) {
      throw new UsageError(`--reason says why, in 1 to ${String(maxReason)} characters; it is kept for ever.`);
    }
    const services = await context.open();
    const { import: asked } = await services.get(DatasetsService).withdraw(id, reason, commandRequester());
    const imports = services.get(ImportsService);
    if (values['no-wait']) {
      context.print(values.json ? JSON.stringify(asked) : `${asked.id}  ${asked.state}`);
      return undefined;
    }
    return follow([asked.id], { imports, context, json: values.json, label: 'withdrawing' });
  },
};
