import { readObo } from './obo.reader.js';
import { readOboGraphs } from './obo-graphs.reader.js';
import type { TermEntry } from './term-file.js';
import { readTsv } from './tsv.reader.js';

/** The first line that is neither blank nor a comment of the OBO format. */
const firstLine = /^[^\S\n]*[^\s!].*$/m;

/** Reads a file of terms, telling its format by how it begins. @throws InvalidInputError naming what is wrong */
export function readTerms(text: string): TermEntry[] {
  const content = text.replace(/^\uFEFF/, '');
  if (content.trimStart().startsWith('{')) return readOboGraphs(content);
  const isObo = firstLine.exec(content)?.[0].trimStart().startsWith('format-version:');
  return isObo ? readObo(content) : readTsv(content);
}
