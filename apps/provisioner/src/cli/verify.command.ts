import { argumentsOf, UsageError } from '@rdc/cli';
import { DatasetsService } from '../datasets/datasets.service.js';
import { ImportsService } from '../imports/imports.service.js';
import { commandRequester } from './asker.js';
import type { Command } from './command.js';
import { follow } from './follow.js';
import { SubmittedImports } from './import.command.js';

const options = { 'no-wait': { type: 'boolean', default: false }, json: { type: 'boolean', default: false } } as const;

/** `verify`: reads imported datasets again and names every file that is not as it was imported. */
export const verifyCommand: Command = {
  usage: 'verify <dataset_id>... [--no-wait] [--json]',
  summary: 'read imported files again; name every missing, extra and differing one, and mend none',
  async run(args, context) {
    const { values, positionals } = argumentsOf(args, options);
    if (positionals.length === 0) throw new UsageError('Name one or more datasets.');
    const services = await context.open();
    const asked = new SubmittedImports(context);
    for (const id of positionals) await asked.one(id, services.get(DatasetsService).verify(id, commandRequester()));
    const imports = services.get(ImportsService);
    if (values['no-wait']) return asked.printAll(imports, values.json);
    const code = await follow(asked.ids, { imports, context, json: values.json, label: 'verifying' });
    return Math.max(code, asked.code);
  },
};
