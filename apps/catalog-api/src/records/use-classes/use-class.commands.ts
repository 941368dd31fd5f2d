import { Command, type CommandUnknownOpts } from '@rdc/cli';
import type { DataSource } from 'typeorm';
import type { CommandContext, OpenContext } from '../../platform/command-line/command.js';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import { commandActor } from '../../publishing/audit/command-actor.js';
import { CatalogWriter } from '../../publishing/documents/catalog-writer.js';
import { DocumentsSettings } from '../../publishing/documents/documents.settings.js';
import { StoredDocuments } from '../../publishing/documents/stored-documents.js';
import { storedLists } from '../definitions/stored-lists.js';
import { UseClassLabels } from './use-class-labels.js';

/** `use-class list`: prints the consent codes and their labels, separated by tabs. */
export function listUseClassesCommand(open: OpenContext): CommandUnknownOpts {
  return new Command('list').description('list the consent codes with their labels').action(async () => {
    const { settings, print, withDataSource } = open();
    const classes = await withDataSource((dataSource) => labelsOf(settings, dataSource).list());
    for (const { code, label, datasets } of classes) print(`${code}\t${label}\t${String(datasets)} datasets`);
  });
}

/** `use-class label <code> [label]`: sets the label of a consent code, or restores the default label. */
export function labelUseClassCommand(open: OpenContext): CommandUnknownOpts {
  return new Command('label')
    .description('set the label of a consent code in all exports, or restore the default label')
    .argument('<code>', 'consent code, such as GRU')
    .argument('[label]', 'label; the default label if absent')
    .action(async (code, label) => {
      const { settings, print, withCatalog } = open();
      const { label: now, datasets } = await withCatalog((dataSource) =>
        labelsOf(settings, dataSource).set(code, label ?? null, commandActor),
      );
      print(`${code} is labelled ${JSON.stringify(now)} in ${String(datasets)} datasets.`);
    });
}

function labelsOf(settings: CommandContext['settings'], dataSource: DataSource): UseClassLabels {
  const documents = new StoredDocuments(settings.get(DocumentsSettings), dataSource, storedLists);
  return new UseClassLabels(dataSource, new CatalogWriter(dataSource, documents), new AuditTrail());
}
