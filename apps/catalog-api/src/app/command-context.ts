import type { CommandContext } from '../platform/command-line/command.js';
import { withDataSource } from '../platform/database/data-source.js';
import type { CatalogSettings } from '../platform/settings/catalog.settings.js';
import { StoredDocuments } from '../publishing/documents/stored-documents.js';
import { storedLists } from '../records/definitions/stored-lists.js';
import { entities } from './entities.js';

/** Returns the context of a command that uses the database named by the settings. */
export function commandContext(settings: CatalogSettings, print: (line: string) => void): CommandContext {
  return {
    settings,
    withDataSource: (work) => withDataSource(settings, entities, work),
    withCatalog: (work) =>
      withDataSource(settings, entities, async (dataSource) => {
        await new StoredDocuments(settings, dataSource, storedLists).requireSameBasis();
        return work(dataSource);
      }),
    print,
  };
}
