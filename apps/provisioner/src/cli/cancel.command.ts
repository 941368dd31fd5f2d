import { argumentsOf, UsageError } from '@rdc/cli';
import { ImportsService } from '../imports/imports.service.js';
import type { Command } from './command.js';
import { linesOf } from './follow.js';

/** `cancel`: stops an import on any worker. */
export const cancelCommand: Command = {
  usage: 'cancel <import_id> [--json]',
  summary: 'stop an import and remove the files that it has copied',
  async run(args, { open, print }) {
    const { values, positionals } = argumentsOf(args, { json: { type: 'boolean', default: false } });
    const [id, ...more] = positionals;
    if (id === undefined || more.length > 0) throw new UsageError('Specify exactly one import id.');
    const response = await (await open()).get(ImportsService).cancel(id);
    for (const line of values.json ? [JSON.stringify(response)] : linesOf(response)) print(line);
    return undefined;
  },
};
