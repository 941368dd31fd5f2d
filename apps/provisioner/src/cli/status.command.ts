import { argumentsOf, UsageError } from '@rdc/cli';
import { importStates, type ImportState } from '../model/import-record.js';
import type { ImportResponse } from '../imports/import.response.js';
import { ImportsService } from '../imports/imports.service.js';
import type { Command, CommandContext } from './command.js';
import { follow, linesOf } from './follow.js';
import { visible } from './text.js';

const options = {
  state: { type: 'string' },
  limit: { type: 'string' },
  files: { type: 'boolean', default: false },
  wait: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

/** So many of the latest are shown unless another number is asked for. */
const shown = '20';

/** `status`: the latest imports, or some by their ids. */
export const statusCommand: Command = {
  usage: 'status [--state STATE] [--limit N] [--json] | status <import_id>... [--files | --wait] [--json]',
  summary: 'the latest imports, or these; --files names what failed in them, --wait shows them until they have ended',
  async run(args, context) {
    const { values, positionals: ids } = argumentsOf(args, options);
    const { state, limit = shown } = values;
    if (state !== undefined && !(importStates as readonly string[]).includes(state)) {
      throw new UsageError(`A state is one of ${importStates.join(', ')}.`);
    }
    if (!/^[1-9]\d{0,3}$/.test(limit)) throw new UsageError('--limit is a whole number from 1 to 9999.');
    if ((values.files || values.wait) && ids.length === 0) throw new UsageError('Name an import.');
    if (values.files && values.wait) throw new UsageError('--wait names what failed by itself: --files is not for it.');
    if (ids.length > 0 && (values.state ?? values.limit) !== undefined) {
      throw new UsageError(
        '--state and --limit choose among the latest imports; those named by their ids are all shown.',
      );
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
    if (found.length === 0) context.remark('There is no such import.');
    return undefined;
  },
};

/** The service looks for a while only; this goes on until there are enough, or no more. */
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
      print(json ? JSON.stringify(item) : visible(`  ${item.code ?? ''}  ${item.path}  ${item.message ?? ''}`));
    }
    cursor = next ?? undefined;
  } while (cursor !== undefined);
}
