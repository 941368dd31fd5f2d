import { linesOf, TermList, type TermEntry } from './term-file.js';

/**
 * Reads a table of tab-separated values. The first line contains the column names `id`, `label` and optionally
 * `synonyms`, whose values are separated by `|`. Other columns are ignored.
 *
 * @throws InvalidInputError if any line is invalid, with all invalid lines
 */
export async function readTsv(text: string, maxTerms?: number): Promise<TermEntry[]> {
  const terms = new TermList(maxTerms);
  let columns: Columns | undefined;
  for await (const lines of linesOf(text)) {
    for (const { number, line } of lines) {
      if (columns) addLine(terms, columns, number, line);
      else columns = columnsOf(line);
      if (!columns) terms.refuse('line 1', 'must contain the column names "id" and "label", separated by a tab');
      if (!columns) return terms.finish();
    }
  }
  return terms.finish();
}

/** The indexes of the columns in a line; -1 for an absent column. */
interface Columns {
  readonly id: number;
  readonly label: number;
  readonly synonyms: number;
}

function columnsOf(header: string): Columns | undefined {
  const names = header.split('\t').map((name) => name.trim().toLowerCase());
  const [id, label, synonyms] = [names.indexOf('id'), names.indexOf('label'), names.indexOf('synonyms')];
  return id === -1 || label === -1 ? undefined : { id, label, synonyms };
}

function addLine(terms: TermList, { id, label, synonyms }: Columns, number: number, line: string): void {
  if (line.trim() === '') return;
  const cells = line.split('\t');
  terms.add(`line ${String(number)}`, {
    termId: cells[id] ?? '',
    label: cells[label] ?? '',
    synonyms: (cells[synonyms] ?? '').split('|'),
  });
}
