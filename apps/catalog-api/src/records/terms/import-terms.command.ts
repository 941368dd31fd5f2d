import { Command, Option, type CommandUnknownOpts } from '@rdc/cli';
import type { Settings } from '@rdc/settings';
import type { DataSource } from 'typeorm';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import { commandActor } from '../../publishing/audit/command-actor.js';
import type { OpenContext } from '../../platform/command-line/command.js';
import { readText } from '../../platform/command-line/input-file.js';
import { CatalogWriter } from '../../publishing/documents/catalog-writer.js';
import { storedLists } from '../definitions/stored-lists.js';
import { DocumentsSettings } from '../../publishing/documents/documents.settings.js';
import { StoredDocuments } from '../../publishing/documents/stored-documents.js';
import { termCategories } from './term.entity.js';
import { TermsImport } from './terms-import.js';
import { TermsRepository } from './terms.repository.js';

/** `import terms`: replaces a vocabulary by the terms of a file. A second run of the same file changes nothing. */
export function importTermsCommand(open: OpenContext): CommandUnknownOpts {
  return new Command('terms')
    .description('replace a vocabulary by the terms of a file')
    .argument('<file>', 'TSV, OBO or OBO Graphs')
    .addOption(new Option('--category <category>', 'vocabulary').choices(termCategories).makeOptionMandatory())
    .option('--dry-run', 'count the changes and write nothing')
    .action(async (file, { category, dryRun = false }) => {
      const { settings, print, withCatalog } = open();
      const text = await readText(file);
      const { terms, dry_run, ...changes } = await withCatalog((dataSource) =>
        termsImport(settings, dataSource).run(category, text, { actor: commandActor, dryRun }),
      );
      const counts = Object.entries(changes).map(([word, count]) => `${String(count)} ${word}`);
      const prefix = dry_run ? 'dry run: ' : '';
      print(`${prefix}${category}: ${String(terms)} terms in ${file}; ${counts.join(', ')}.`);
    });
}

function termsImport(settings: Settings, dataSource: DataSource): TermsImport {
  const writer = new CatalogWriter(
    dataSource,
    new StoredDocuments(settings.get(DocumentsSettings), dataSource, storedLists),
  );
  return new TermsImport(new TermsRepository(dataSource, writer), new AuditTrail());
}
