import { argumentsOf, UsageError } from '@rdc/cli';
import type { Settings } from '@rdc/settings';
import type { DataSource } from 'typeorm';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import { commandActor } from '../../publishing/audit/command-actor.js';
import type { Command } from '../../platform/command-line/command.js';
import { readText } from '../../platform/command-line/input-file.js';
import { CatalogWriter } from '../../publishing/documents/catalog-writer.js';
import { storedLists } from '../definitions/stored-lists.js';
import { DocumentsSettings } from '../../publishing/documents/documents.settings.js';
import { StoredDocuments } from '../../publishing/documents/stored-documents.js';
import { termCategories, type TermCategory } from './term.entity.js';
import { TermsImport } from './terms-import.js';
import { TermsRepository } from './terms.repository.js';

/** `import terms`: replaces a vocabulary by the terms of a file. A second run of the same file changes nothing. */
export const importTermsCommand: Command = {
  usage: 'import terms --category <category> <file> [--dry-run]',
  summary: `replace a vocabulary (${termCategories.join(', ')}) by the terms of a TSV, OBO or OBO Graphs file`,
  async run(args, { settings, print, withCatalog }) {
    const { category, file, dryRun } = parseArguments(args);
    const text = await readText(file);
    const { terms, dry_run, ...changes } = await withCatalog((dataSource) =>
      termsImport(settings, dataSource).run(category, text, { actor: commandActor, dryRun }),
    );
    const counts = Object.entries(changes).map(([word, count]) => `${String(count)} ${word}`);
    const prefix = dry_run ? 'dry run: ' : '';
    print(`${prefix}${category}: ${String(terms)} terms in ${file}; ${counts.join(', ')}.`);
  },
};

function termsImport(settings: Settings, dataSource: DataSource): TermsImport {
  const writer = new CatalogWriter(
    dataSource,
    new StoredDocuments(settings.get(DocumentsSettings), dataSource, storedLists),
  );
  return new TermsImport(new TermsRepository(dataSource, writer), new AuditTrail());
}

function parseArguments(args: readonly string[]): { category: TermCategory; file: string; dryRun: boolean } {
  const { values, positionals } = argumentsOf(args, {
    category: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
  });
  const category = termCategories.find((each) => each === values.category);
  if (!category) throw new UsageError(`--category must be one of ${termCategories.join(', ')}.`);
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new UsageError('Exactly one file is required.');
  return { category, file, dryRun: values['dry-run'] };
}
