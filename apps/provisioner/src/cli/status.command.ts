import { Command, InvalidArgumentError, Option, UsageError, type CommandUnknownOpts } from '@rdc/cli';
import { importStates, type ImportState } from '../model/import-record.js';
import type { ImportResponse } from '../imports/import.response.js';
import { ImportsService } from '../imports/imports.service.js';
import { sharedOptions, type CommandContext } from './command.js';
import { follow, printImport } from './follow.js';
import { escapeUnsafe } from '../model/unsafe-names.js';

/** Default number of imports in the list. */
const defaultLimit = 20;

/** `status`: shows the latest imports, or the imports with the given ids. */
export function statusCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('status')
    .description('show the latest imports, or imports by id')
    .argument('[import_id...]', 'ids of the imports')
    .addOption(new Option('--state <state>', 'state of the imports').choices(importStates))
    .option('--limit <number>', `maximum number of imports, from 1 to 9999 (default: ${String(defaultLimit)})`, limitOf)
    .addOption(new Option('--files', 'list the failed files of the imports').conflicts('wait'))
    .option('--wait', 'wait until the imports have ended, and list their failed files')
    .option(...sharedOptions.json)
    .action(async (ids, { state, limit, files, wait, json = false }) => {
      if ((files ?? wait) && ids.length === 0) throw new UsageError('--files and --wait require import ids.');
      if (ids.length > 0 && (state ?? limit) !== undefined) {
        throw new UsageError('--state and --limit cannot be combined with import ids.');
      }
      const imports = (await context.open()).get(ImportsService);
      if (wait) {
        context.setExitCode(await follow(ids, { imports, context, json, label: 'waiting' }));
        return;
      }
      const found =
        ids.length > 0
          ? await Promise.all(ids.map((id) => imports.get(id)))
          : await latest(imports, state, limit ?? defaultLimit);
      for (const each of found) {
        printImport(each, context, json);
        if (files) await printFiles(imports, each.id, json, context);
      }
      if (found.length === 0) context.remark('No matching imports.');
    });
}

function limitOf(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1 to 9999.');
}

/** Returns the latest imports. A page of the service may be incomplete, so pages are read until `count` is reached. */
async function latest(
  imports: ImportsService,
  state: ImportState | undefined,
  count: number,
): Promise<readonly ImportResponse[]> {
  const found: ImportResponse[] = [];
  let cursor: string | undefined;
  do {
    const { items, next } = await imports.search({ state, limit: count - found.length, cursor });
    found.push(...items);
    cursor = next ?? undefined;
  } while (cursor !== undefined && found.length < count);
  return found;
}

async function printFiles(
  imports: ImportsService,
  id: string,
  json: boolean,
  { print }: CommandContext,
): Promise<void> {
  let cursor: string | undefined;
  do {
    const { items, next } = await imports.files(id, { state: 'failed', cursor });
    for (const item of items) {
      print(json ? JSON.stringify(item) : escapeUnsafe(`  ${item.code ?? ''}  ${item.path}  ${item.message ?? ''}`));
    }
    cursor = next ?? undefined;
  } while (cursor !== undefined);
}
