import { readObo } from './obo.reader.js';
import { readOboGraphs } from './obo-graphs.reader.js';
import { linesOf, type TermEntry } from './term-file.js';
import { readTsv } from './tsv.reader.js';

/**
 * Reads a file of terms and tells its format by how it begins. Other requests are answered meanwhile.
 *
 * @param maxTerms terms that the file may hold; any number if undefined
 * @throws InvalidInputError naming what is wrong
 */
export async function readTerms(text: string, maxTerms?: number): Promise<TermEntry[]> {
  const content = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (content.trimStart().startsWith('{')) return readOboGraphs(content, maxTerms);
  return (await isObo(content)) ? readObo(content, maxTerms) : readTsv(content, maxTerms);
}

/** Returns whether the first line that is neither blank nor a comment of the OBO format names a version of that format. */
async function isObo(text: string): Promise<boolean> {
  for await (const lines of linesOf(text)) {
    const first = lines.map(({ line }) => line.trim()).find((line) => line !== '' && !line.startsWith('!'));
    if (first !== undefined) return first.startsWith('format-version:');
  }
  return false;
}
