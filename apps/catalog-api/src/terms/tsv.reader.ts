import { TermList, type TermEntry } from './term-file.js';

/**
 * Reads a table of tab-separated values whose first line names its columns: `id`, `label` and, if it has them,
 * `synonyms` separated by `|`. Other columns are ignored.
 *
 * @throws InvalidInputError naming every bad line
 */
export function readTsv(text: string): TermEntry[] {
  const terms = new TermList();
  const [header = '', ...lines] = text.split(/\r?\n/);
  const columns = header.split('\t').map((name) => name.trim().toLowerCase());
  const [id, label, synonyms] = ['id', 'label', 'synonyms'].map((name) => columns.indexOf(name)) as [
    number,
    number,
    number,
  ];
  if (id === -1 || label === -1) {
    terms.refuse('line 1', 'must name the columns "id" and "label", separated by a tab');
    return terms.finish();
  }
  lines.forEach((line, index) => {
    if (line.trim() === '') return;
    const cells = line.split('\t');
    terms.add(`line ${String(index + 2)}`, {
      termId: cells[id] ?? '',
      label: cells[label] ?? '',
      synonyms: (cells[synonyms] ?? '').split('|'),
    });
  });
  return terms.finish();
}
