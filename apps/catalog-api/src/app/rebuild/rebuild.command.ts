import { wordsOf } from '@rdc/cli';
import type { Command } from '../../platform/command-line/command.js';
import { storedLists } from '../../records/definitions/stored-lists.js';
import { StoredDocuments } from '../../publishing/documents/stored-documents.js';

/** `rebuild documents`: makes every stored document again. Harmless at any time; says how many were wrong. */
export const rebuildCommand: Command = {
  usage: 'rebuild documents',
  summary: 'make every stored document again',
  async run(args, { settings, print, withDataSource }) {
    wordsOf(args, 0);
    const changed = await withDataSource((dataSource) =>
      new StoredDocuments(settings, dataSource, storedLists).rebuildAll(),
    );
    for (const [list, count] of Object.entries(changed)) print(`${list}: ${String(count)} changed`);
  },
};
