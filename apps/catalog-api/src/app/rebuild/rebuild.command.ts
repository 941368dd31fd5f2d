import { wordsOf } from '@rdc/cli';
import type { Command } from '../../platform/command-line/command.js';
import { storedLists } from '../../records/definitions/stored-lists.js';
import { DocumentsSettings } from '../../publishing/documents/documents.settings.js';
import { StoredDocuments } from '../../publishing/documents/stored-documents.js';

/** `rebuild documents`: rebuilds every stored document and prints how many have changed. Safe at any time. */
export const rebuildCommand: Command = {
  usage: 'rebuild documents',
  summary: 'rebuild every stored document',
  async run(args, { settings, print, withDataSource }) {
    wordsOf(args, 0);
    const changed = await withDataSource((dataSource) =>
      new StoredDocuments(settings.get(DocumentsSettings), dataSource, storedLists).rebuildAll(),
    );
    for (const [list, count] of Object.entries(changed)) print(`${list}: ${String(count)} documents changed`);
  },
};
