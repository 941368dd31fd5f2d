import { wordsOf } from '@rdc/cli';
import type { Command } from '../cli/command.js';
import { withDataSource } from '../database/data-source.js';
import { StoredDocuments } from './stored-documents.js';

/** `rebuild documents`: makes every stored document again. Harmless at any time; says how many were wrong. */
export const rebuildCommand: Command = {
  usage: 'rebuild documents',
  summary: 'make every stored document again',
  async run(args, { settings, print }) {
    wordsOf(args, 0);
    const changed = await withDataSource(settings, (dataSource) =>
      new StoredDocuments(settings, dataSource).rebuildAll(),
    );
    for (const [list, count] of Object.entries(changed)) print(`${list}: ${String(count)} changed`);
  },
};
