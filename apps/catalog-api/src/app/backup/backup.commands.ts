import { argumentsOf, ProgressBar, UsageError, wordsOf } from '@rdc/cli';
import { createReadStream } from 'node:fs';
import type { Command } from '../../platform/command-line/command.js';
import { sizeOf } from '../../platform/command-line/input-file.js';
import { storedLists } from '../../records/definitions/stored-lists.js';
import { DocumentsSettings } from '../../publishing/documents/documents.settings.js';
import { AccessionsSettings } from '../../publishing/writing/accessions.settings.js';
import { StoredDocuments } from '../../publishing/documents/stored-documents.js';
import { exportBackup } from './backup-export.js';
import { importBackup } from './backup-import.js';

/** `import full <file>`: imports a backup into an empty catalog, completely or not at all. */
export const importFullCommand: Command = {
  usage: 'import full <file>',
  summary: 'import a backup (NDJSON) into an empty catalog',
  async run(args, { settings, print, withDataSource }) {
    const [file] = wordsOf(args, 1);
    if (file === undefined) throw new UsageError('A file is required.');
    const bar = new ProgressBar(await sizeOf(file), 'records');
    const count = await withDataSource((dataSource) =>
      importBackup(dataSource, bar.watch(createReadStream(file)), {
        accessionPrefix: settings.get(AccessionsSettings).ACCESSION_PREFIX,
        documents: new StoredDocuments(settings.get(DocumentsSettings), dataSource, storedLists),
      }),
    ).finally(() => {
      bar.end();
    });
    print(`Imported ${String(count)} records.`);
  },
};

/** `export --full`: writes a backup to standard output. A backup contains hashes of keys, so treat it as a secret. */
export const exportFullCommand: Command = {
  usage: 'export --full',
  summary: 'write the whole catalog to standard output as a backup (NDJSON)',
  async run(args, { withDataSource }) {
    const { values, positionals } = argumentsOf(args, { full: { type: 'boolean', default: false } });
    if (!values.full) throw new UsageError('The option --full is required.');
    if (positionals.length > 0)
      throw new UsageError('Unexpected file: the backup is written to standard output. Redirect the output to a file.');
    await withDataSource((dataSource) => exportBackup(dataSource, process.stdout));
  },
};
