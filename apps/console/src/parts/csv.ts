import type { ListAnswer } from './list-answer.ts';

/** The number of rows of a request. */
const pageSize = '1000';

/** The mark by which spreadsheets recognise UTF-8. Without it, they show other letters than English ones wrongly. */
const byteOrderMark = '\uFEFF';

export interface CsvRequest<Row> {
  /** Requests a page of the list. */
  readonly load: (
    parameters: Readonly<Record<string, string | undefined>>,
    signal: AbortSignal,
  ) => Promise<ListAnswer<Row>>;
  readonly parameters: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Is called after each page with the number of rows so far. */
  readonly onProgress: (rows: number) => void;
}

/**
 * Reads every page of a list and returns a CSV file, whose columns are the members of the rows. The browser may store
 * the parts of the file on disk, so a long list does not fill the memory.
 */
export async function csvOf<Row extends object>({
  load,
  parameters,
  signal,
  onProgress,
}: CsvRequest<Row>): Promise<Blob> {
  const parts: Blob[] = [];
  let columns: string[] | undefined;
  let rows = 0;
  let cursor: string | undefined;
  do {
    const page = await load({ ...parameters, limit: pageSize, cursor }, signal);
    columns ??= Object.keys(page.items[0] ?? {});
    const names = columns;
    const lines = page.items.map((row) => lineOf(names.map((name) => (row as Record<string, unknown>)[name])));
    if (rows === 0) lines.unshift(byteOrderMark + lineOf(names));
    parts.push(new Blob(lines));
    rows += page.items.length;
    onProgress(rows);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return new Blob(parts, { type: 'text/csv;charset=utf-8' });
}

function lineOf(values: readonly unknown[]): string {
  return `${values.map(cellOf).join(',')}\r\n`;
}

/**
 * Returns a cell. A text that a spreadsheet would compute as a formula begins with an apostrophe, which makes it a text.
 * A number is written unchanged, also a negative number.
 */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : Array.isArray(value) ? textOfItems(value) : JSON.stringify(value);
  const safe = /^[\s\uFEFF]*[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function textOfItems(items: readonly unknown[]): string {
  return items.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))).join('; ');
}
