import { readObo } from './obo.reader.js';
import { readOboGraphs } from './obo-graphs.reader.js';
import { linesOf, type TermEntry } from './term-file.js';
import { readTsv } from './tsv.reader.js';

/**
 * Reads a file of terms. The beginning of the file determines the format. The process answers other requests in the
 * meantime.
 *
 * @param maxTerms the maximum number of terms; no limit if undefined
 * @throws InvalidInputError if the file is invalid, with all problems
 */
export async function readTerms(text: string, maxTerms?: number): Promise<TermEntry[]> {
  const content = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (content.trimStart().startsWith('{')) return readOboGraphs(content, maxTerms);
  return (await isObo(content)) ? readObo(content, maxTerms) : readTsv(content, maxTerms);
}

/** Whether the first line that is neither blank nor an OBO comment states an OBO version. */
async function isObo(text: string): Promise<boolean> {
  for await (const lines of linesOf(text)) {
    const first = lines.map(({ line }) => line.trim()).find((line) => line !== '' && !line.startsWith('!'));
    if (first !== undefined) return first.startsWith('format-version:');
  }
  return false;
}
