import { Command, ProgressBar, UsageError, type CommandUnknownOpts } from '@rdc/cli';
import { createReadStream } from 'node:fs';
import type { OpenContext } from '../../platform/command-line/command.js';
import { sizeOf } from '../../platform/command-line/input-file.js';
import { requireServiceSecret } from '../../people/keys/key-secret.js';
import { SecretsSettings } from '../../platform/secrets/secrets.settings.js';
import { storedLists } from '../../records/definitions/stored-lists.js';
import { DocumentsSettings } from '../../publishing/documents/documents.settings.js';
import { Accessions } from '../../publishing/writing/accessions.js';
import { AccessionsSettings } from '../../publishing/writing/accessions.settings.js';
import { StoredDocuments } from '../../publishing/documents/stored-documents.js';
import { exportBackup } from './backup-export.js';
import { recordsOf, settingsOfBackup, writeBackup } from './backup-folder.js';
import { importBackup } from './backup-import.js';

/** `import full <backup>`: imports a backup into an empty catalog, completely or not at all. */
export function importFullCommand(open: OpenContext): CommandUnknownOpts {
  return new Command('full')
    .description('import a backup into an empty catalog')
    .argument('<backup>', 'folder that "backup" wrote, or file of "export --full"')
    .action(async (backup) => {
      const { settings, print, withDataSource } = open();
      const file = await recordsOf(backup);
      const settingsOfService = await settingsOfBackup(backup);
      const bar = new ProgressBar(await sizeOf(file), 'records');
      const count = await withDataSource((dataSource) =>
        importBackup(dataSource, bar.watch(createReadStream(file)), {
          accessions: new Accessions(settings.get(AccessionsSettings)),
          documents: new StoredDocuments(settings.get(DocumentsSettings), dataSource, storedLists),
          ...(settingsOfService && {
            origin: {
              settings: settingsOfService,
              check: (manager) => requireServiceSecret(settings.get(SecretsSettings), manager),
            },
          }),
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

/** `backup <folder>`: writes a backup to a new folder, and removes the oldest ones. Treat a backup as a secret. */
export function backupCommand(open: OpenContext, version: string): CommandUnknownOpts {
  return new Command('backup')
    .description('write a backup to a new folder in <folder>, and remove the oldest')
    .argument('<folder>', 'folder of all backups')
    .option('--keep <number>', 'number of backups that remain', parseKeep, 14)
    .action(async (folder, { keep }) => {
      const { print, withDataSource } = open();
      const options = { keep, version, now: new Date() };
      print(`Wrote ${await withDataSource((dataSource) => writeBackup(dataSource, folder, options))}.`);
    });
}

function parseKeep(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError(`--keep must be a whole number from 1; it is "${text}".`);
  return Number(text);
}
