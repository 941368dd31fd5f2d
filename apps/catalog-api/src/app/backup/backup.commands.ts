import { Command, ProgressBar, type CommandUnknownOpts } from '@rdc/cli';
import { createReadStream } from 'node:fs';
import type { OpenContext } from '../../platform/command-line/command.js';
import { sizeOf } from '../../platform/command-line/input-file.js';
import { storedLists } from '../../records/definitions/stored-lists.js';
import { DocumentsSettings } from '../../publishing/documents/documents.settings.js';
import { Accessions } from '../../publishing/writing/accessions.js';
import { AccessionsSettings } from '../../publishing/writing/accessions.settings.js';
import { StoredDocuments } from '../../publishing/documents/stored-documents.js';
import { exportBackup } from './backup-export.js';
import { importBackup } from './backup-import.js';

/** `import full <file>`: imports a backup into an empty catalog, completely or not at all. */
export function importFullCommand(open: OpenContext): CommandUnknownOpts {
  return new Command('full')
    .description('import a backup into an empty catalog')
    .argument('<file>', 'backup (NDJSON)')
    .action(async (file) => {
      const { settings, print, withDataSource } = open();
      const bar = new ProgressBar(await sizeOf(file), 'records');
      const count = await withDataSource((dataSource) =>
        importBackup(dataSource, bar.watch(createReadStream(file)), {
          accessions: new Accessions(settings.get(AccessionsSettings)),
          documents: new StoredDocuments(settings.get(DocumentsSettings), dataSource, storedLists),
        }),
      ).finally(() => {
        bar.end();
      });
      print(`Imported ${String(count)} records.`);
    });
}

/** `export --full`: writes a backup to standard output. A backup contains hashes of keys, so treat it as a secret. */
export function exportFullCommand(open: OpenContext): CommandUnknownOpts {
  return new Command('export')
    .description('write the catalog to standard output as a backup (NDJSON)')
    .requiredOption('--full', 'write all records, accounts and keys')
    .action(() => open().withDataSource((dataSource) => exportBackup(dataSource, process.stdout)));
}
