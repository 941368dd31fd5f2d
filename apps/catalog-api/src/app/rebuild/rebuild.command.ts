import { Command, type CommandUnknownOpts } from '@rdc/cli';
import type { OpenContext } from '../../platform/command-line/command.js';
import { storedLists } from '../../records/definitions/stored-lists.js';
import { DocumentsSettings } from '../../publishing/documents/documents.settings.js';
import { StoredDocuments } from '../../publishing/documents/stored-documents.js';

/** `rebuild documents`: rebuilds every stored document and prints how many have changed. Safe at any time. */
export function rebuildCommand(open: OpenContext): CommandUnknownOpts {
  return new Command('documents').description('rebuild every stored document').action(async () => {
    const { settings, print, withDataSource } = open();
    const changed = await withDataSource((dataSource) =>
      new StoredDocuments(settings.get(DocumentsSettings), dataSource, storedLists).rebuildAll(),
    );
    for (const [list, count] of Object.entries(changed)) print(`${list}: ${String(count)} documents changed`);
  });
}
