import { Command, ProgressBar, type CommandUnknownOpts } from '@rdc/cli';
import { createReadStream } from 'node:fs';
import { allRights } from '../../publishing/writing/writer-rights.js';
import type { OpenContext } from '../../platform/command-line/command.js';
import { sizeOf } from '../../platform/command-line/input-file.js';
import type { RecordKind } from '../../publishing/writing/record-kind.js';
import { InvalidItemsError } from '../../publishing/writing/write-problems.js';
import type { BulkReport } from './bulk.dto.js';
import { DocumentsSettings } from '../../publishing/documents/documents.settings.js';
import { itemTexts } from './item-stream.js';
import { commandActor } from '../../publishing/audit/command-actor.js';
import { OfflineWriter } from './offline-writer.js';
import { recordKinds } from './record-kinds.js';

/** `import projects` etc.: writes all items of a file, or none. A second run of the same file changes nothing. */
export function importRecordsCommands(open: OpenContext): CommandUnknownOpts[] {
  return (recordKinds as readonly unknown[] as readonly RecordKind[]).map((kind) => importRecordsCommand(kind, open));
}

function importRecordsCommand(kind: RecordKind, open: OpenContext): CommandUnknownOpts {
  return new Command(kind.list)
    .description(`import ${kind.list}, all or none`)
    .argument('<file>', '{"items": [...]} or NDJSON')
    .option('--dry-run', 'validate the file and write nothing')
    .option('--create-missing', 'create referenced records that do not exist')
    .action(async (file, { dryRun = false, createMissing = false }) => {
      const { settings, print, withCatalog } = open();
      const size = await sizeOf(file);
      const bar = new ProgressBar(size, kind.list);
      const report = await withCatalog((dataSource) =>
        new OfflineWriter(settings, dataSource).bulk.run(kind, itemTexts(bar.watch(createReadStream(file))), {
          actor: commandActor,
          rights: allRights,
          dryRun,
          createMissing,
          ownSource: settings.get(DocumentsSettings).SERVER_URL ?? null,
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
    });
}

/** Returns the result of an import as a line for the operator. */
export function summaryOf({ list }: Pick<RecordKind, 'list'>, report: BulkReport): string {
  const { dry_run, items, created, updated, unchanged } = report;
  const prefix = dry_run ? 'dry run: ' : '';
  return `${prefix}${list}: ${String(items)} items; ${String(created)} created, ${String(updated)} updated, ${String(unchanged)} unchanged.`;
}
