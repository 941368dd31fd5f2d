import { argumentsOf, ProgressBar, UsageError } from '@rdc/cli';
import { createReadStream } from 'node:fs';
import { allRights } from '../../publishing/writing/writer-rights.js';
import type { Command } from '../../platform/command-line/command.js';
import { sizeOf } from '../../platform/command-line/input-file.js';
import type { RecordKind } from '../../publishing/writing/record-kind.js';
import { InvalidItemsError } from '../../publishing/writing/write-problems.js';
import type { BulkReport } from './bulk.dto.js';
import { itemTexts } from './item-stream.js';
import { commandActor } from '../../publishing/audit/command-actor.js';
import { OfflineWriter } from './offline-writer.js';
import { recordKinds } from './record-kinds.js';

/** `import projects` etc.: writes all items of a file, or none. A second run of the same file changes nothing. */
export const importRecordsCommands: readonly Command[] = (
  recordKinds as readonly unknown[] as readonly RecordKind[]
).map((kind) => ({
  usage: `import ${kind.list} <file> [--dry-run] [--create-missing]`,
  summary: `import ${kind.list} from {"items": [...]} or NDJSON, all or none`,
  async run(args, { settings, print, withCatalog }) {
    const { file, dryRun, createMissing } = parseArguments(args);
    const size = await sizeOf(file);
    const bar = new ProgressBar(size, kind.list);
    const report = await withCatalog((dataSource) =>
      new OfflineWriter(settings, dataSource).bulk.run(kind, itemTexts(bar.watch(createReadStream(file))), {
        actor: commandActor,
        rights: allRights,
        dryRun,
        createMissing,
        ownSource: settings.SERVER_URL ?? null,
        lockTimeoutMs: 0,
      }),
    )
      .finally(() => {
        bar.end();
      })
      .catch((error: unknown) => {
        if (error instanceof InvalidItemsError) error.lines().forEach(print);
        throw error;
      });
    print(summaryOf(kind, report));
  },
}));

/** Returns the result of an import as a line for the operator. */
export function summaryOf({ list }: Pick<RecordKind, 'list'>, report: BulkReport): string {
  const { dry_run, items, created, updated, unchanged } = report;
  const prefix = dry_run ? 'dry run: ' : '';
  return `${prefix}${list}: ${String(items)} items; ${String(created)} created, ${String(updated)} updated, ${String(unchanged)} unchanged.`;
}

function parseArguments(args: readonly string[]): { file: string; dryRun: boolean; createMissing: boolean } {
  const { values, positionals } = argumentsOf(args, {
    'dry-run': { type: 'boolean', default: false },
    'create-missing': { type: 'boolean', default: false },
  });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new UsageError('Exactly one file is required.');
  return { file, dryRun: values['dry-run'], createMissing: values['create-missing'] };
}
