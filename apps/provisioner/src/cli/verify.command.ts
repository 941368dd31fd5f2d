import { argumentsOf, UsageError } from '@rdc/cli';
import { DatasetsService } from '../datasets/datasets.service.js';
import { ImportsService } from '../imports/imports.service.js';
import { commandRequester } from './command-requester.js';
import type { Command } from './command.js';
import { follow } from './follow.js';
import { SubmittedImports } from './import.command.js';

const options = { 'no-wait': { type: 'boolean', default: false }, json: { type: 'boolean', default: false } } as const;

/** `verify`: reads imported datasets and lists every file that differs from the imported file. */
export const verifyCommand: Command = {
  usage: 'verify <dataset_id>... [--no-wait] [--json]',
  summary: 'read imported files and list every missing, additional and changed file; changes nothing',
  async run(args, context) {
    const { values, positionals } = argumentsOf(args, options);
    if (positionals.length === 0) throw new UsageError('Specify at least one dataset id.');
    const services = await context.open();
    const submitted = new SubmittedImports(context);
    for (const id of positionals) await submitted.add(id, services.get(DatasetsService).verify(id, commandRequester()));
    const imports = services.get(ImportsService);
    if (values['no-wait']) return submitted.printAll(imports, values.json);
    const code = await follow(submitted.ids, { imports, context, json: values.json, label: 'verifying' });
    return Math.max(code, submitted.code);
  },
};
