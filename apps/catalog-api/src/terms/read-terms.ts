import { readObo } from './obo.reader.js';
import { readOboGraphs } from './obo-graphs.reader.js';
import type { TermEntry } from './term-file.js';
import { readTsv } from './tsv.reader.js';

/** Reads a file of terms, telling its format by how it begins. @throws InvalidInputError naming what is wrong */
export function readTerms(text: string): TermEntry[] {
  const content = text.replace(/^\uFEFF/, '');
  if (content.trimStart().startsWith('{')) return readOboGraphs(content);
  return content.startsWith('format-version:') ? readObo(content) : readTsv(content);
}
