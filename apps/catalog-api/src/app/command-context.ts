import type { Settings } from '@rdc/settings';
import type { CommandContext } from '../platform/command-line/command.js';
import { withDataSource } from '../platform/database/data-source.js';
import { requireSchema } from '../platform/database/schema-check.js';
import { DatabaseSettings } from '../platform/database/database.settings.js';
import { DocumentsSettings } from '../publishing/documents/documents.settings.js';
import { StoredDocuments } from '../publishing/documents/stored-documents.js';
import { AccessionsSettings } from '../publishing/writing/accessions.settings.js';
import { Accessions } from '../publishing/writing/accessions.js';
import { storedLists } from '../records/definitions/stored-lists.js';
import { entities } from './entities.js';

/** Returns the context of a command that uses the database named by the settings. */
export function commandContext(settings: Settings, print: (line: string) => void): CommandContext {
  const database = settings.get(DatabaseSettings);
  return {
    settings,
    withDataSource: (work) => withDataSource(database, entities, work),
    withCatalog: (work) =>
      withDataSource(database, entities, async (dataSource) => {
        await requireSchema(dataSource);
        await new Accessions(settings.get(AccessionsSettings)).requireServicePrefix(dataSource.manager);
        await new StoredDocuments(settings.get(DocumentsSettings), dataSource, storedLists).requireSameBasis();
        return work(dataSource);
      }),
    print,
  };
}
