import { argumentsOf, ProgressBar, UsageError, wordsOf } from '@rdc/cli';
import { createReadStream } from 'node:fs';
import type { Command } from '../../platform/command-line/command.js';
import { sizeOf } from '../../platform/command-line/input-file.js';
import { storedLists } from '../../records/definitions/stored-lists.js';
import { StoredDocuments } from '../../publishing/documents/stored-documents.js';
import { exportBackup } from './backup-export.js';
import { importBackup } from './backup-import.js';

/** `import full <file>`: fills an empty catalog from a backup, all or nothing. */
export const importFullCommand: Command = {
  usage: 'import full <file>',
  summary: 'fill an empty catalog from a backup (NDJSON)',
  async run(args, { settings, print, withDataSource }) {
    const [file] = wordsOf(args, 1);
    if (file === undefined) throw new UsageError('Which file?');
    const bar = new ProgressBar(await sizeOf(file), 'records');
    const count = await withDataSource((dataSource) =>
      importBackup(dataSource, bar.watch(createReadStream(file)), {
        accessionPrefix: settings.ACCESSION_PREFIX,
        documents: new StoredDocuments(settings, dataSource, storedLists),
      }),
    ).finally(() => {
      bar.end();
    });
    print(`Imported ${String(count)} records.`);
  },
};

/** `export --full`: writes the whole catalog to standard output. It holds hashes of keys: keep it as you keep secrets. */
export const exportFullCommand: Command = {
  usage: 'export --full',
  summary: 'write the whole catalog to standard output as a backup (NDJSON)',
  async run(args, { withDataSource }) {
    const { values, positionals } = argumentsOf(args, { full: { type: 'boolean', default: false } });
    if (!values.full) throw new UsageError('Only the full form can be exported here.');
    if (positionals.length > 0) throw new UsageError('The backup goes to standard output: name no file.');
    await withDataSource((dataSource) => exportBackup(dataSource, process.stdout));
  },
};
