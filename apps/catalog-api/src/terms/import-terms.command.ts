import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { UsageError, type Command } from '../cli/command.js';
import { withDataSource } from '../database/data-source.js';
import { readObo } from './obo.reader.js';
import { readOboGraphs } from './obo-graphs.reader.js';
import type { TermEntry } from './term-file.js';
import { termCategories, type TermCategory } from './term.entity.js';
import { TermsRepository } from './terms.repository.js';
import { readTsv } from './tsv.reader.js';

/** `import terms`: makes a vocabulary what a file says. Doing it twice changes nothing. */
export const importTermsCommand: Command = {
  usage: 'import terms --category <category> <file>',
  summary: `load a vocabulary (${termCategories.join(', ')}) from TSV, OBO or OBO Graphs JSON`,
  async run(args, { settings, print }) {
    const { category, file } = argumentsOf(args);
    const entries = readTerms(await textOf(file));
    const changes = await withDataSource(settings, (dataSource) =>
      new TermsRepository(dataSource).replace(category, entries),
    );
    const counts = Object.entries(changes).map(([word, count]) => `${String(count)} ${word}`);
    print(`${category}: ${String(entries.length)} terms in ${file}; ${counts.join(', ')}.`);
  },
};

/** Reads a file of terms, telling its format by how it begins. @throws InvalidInputError naming what is wrong */
export function readTerms(text: string): TermEntry[] {
  const content = text.replace(/^\uFEFF/, '');
  if (content.trimStart().startsWith('{')) return readOboGraphs(content);
  return content.startsWith('format-version:') ? readObo(content) : readTsv(content);
}

function argumentsOf(args: readonly string[]): { category: TermCategory; file: string } {
  const { category, files } = parsed(args);
  const known = termCategories.find((each) => each === category);
  if (!known) throw new UsageError(`--category must be one of ${termCategories.join(', ')}.`);
  const [file, ...more] = files;
  if (file === undefined || more.length > 0) throw new UsageError('Name one file.');
  return { category: known, file };
}

function parsed(args: readonly string[]): { category: string | undefined; files: string[] } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { category: { type: 'string' } },
      allowPositionals: true,
    });
    return { category: values.category, files: positionals };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}
