import { argumentsOf, UsageError } from '@rdc/cli';
import { ImportsService } from '../imports/imports.service.js';
import type { Command } from './command.js';
import { linesOf } from './follow.js';

/** `cancel`: stops an import, whichever worker runs it. */
export const cancelCommand: Command = {
  usage: 'cancel <import_id> [--json]',
  summary: 'stop an import; what it copied is removed',
  async run(args, { open, print }) {
    const { values, positionals } = argumentsOf(args, { json: { type: 'boolean', default: false } });
    const [id, ...more] = positionals;
    if (id === undefined || more.length > 0) throw new UsageError('Name one import.');
    const response = await (await open()).get(ImportsService).cancel(id);
    for (const line of values.json ? [JSON.stringify(response)] : linesOf(response)) print(line);
    return undefined;
  },
};
