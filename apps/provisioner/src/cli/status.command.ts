import { argumentsOf, UsageError } from '@rdc/cli';
import { importStates, type ImportState } from '../model/import-record.js';
import type { ImportResponse } from '../imports/import.response.js';
import { ImportsService } from '../imports/imports.service.js';
import type { Command, CommandContext } from './command.js';
import { follow, linesOf } from './follow.js';
import { escapeUnsafe } from '../model/unsafe-names.js';

const options = {
  state: { type: 'string' },
  limit: { type: 'string' },
  files: { type: 'boolean', default: false },
  wait: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

/** Default number of imports in the list. */
const defaultLimit = '20';

/** `status`: shows the latest imports, or the imports with the given ids. */
export const statusCommand: Command = {
  usage: 'status [--state STATE] [--limit N] [--json] | status <import_id>... [--files | --wait] [--json]',
  summary:
    'show the latest imports, or imports by id; --files lists their failed files, --wait waits until they have ended',
  async run(args, context) {
    const { values, positionals: ids } = argumentsOf(args, options);
    const { state, limit = defaultLimit } = values;
    if (state !== undefined && !(importStates as readonly string[]).includes(state)) {
      throw new UsageError(`--state must be one of ${importStates.join(', ')}.`);
    }
    if (!/^[1-9]\d{0,3}$/.test(limit)) throw new UsageError('--limit must be a whole number from 1 to 9999.');
    if ((values.files || values.wait) && ids.length === 0)
      throw new UsageError('--files and --wait require import ids.');
    if (values.files && values.wait)
      throw new UsageError('--files and --wait cannot be combined. --wait also lists failed files.');
    if (ids.length > 0 && (values.state ?? values.limit) !== undefined) {
      throw new UsageError('--state and --limit cannot be combined with import ids.');
    }
    const imports = (await context.open()).get(ImportsService);
    if (values.wait) return follow(ids, { imports, context, json: values.json, label: 'waiting' });
    const found =
      ids.length > 0
        ? await Promise.all(ids.map((id) => imports.get(id)))
        : await latest(imports, state as ImportState | undefined, Number(limit));
    for (const each of found) {
      for (const line of values.json ? [JSON.stringify(each)] : linesOf(each)) context.print(line);
      if (values.files) await printFiles(imports, each.id, values.json, context);
    }
    if (found.length === 0) context.remark('No matching imports.');
    return undefined;
  },
};

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
