import { readFileSync } from 'node:fs';
import { withListTable, type DescribedLists, type ListingService } from '../../scripts/list-table.ts';

const page = new URL('../../docs/integrate.md', import.meta.url);

/** Returns the rows of the tables in docs/integrate.md, as they are and as the description of a service demands. */
export function listRows(
  service: ListingService,
  description: object,
): { readonly written: readonly string[]; readonly demanded: readonly string[] } {
  const text = readFileSync(page, 'utf8');
  return { written: rowsOf(text), demanded: rowsOf(withListTable(text, service, description as DescribedLists)) };
}

/** Returns the rows of tables without the padding that formatting adds. */
function rowsOf(text: string): readonly string[] {
  const rows = text.split('\n').filter((line) => line.startsWith('|') && !/^[|\s-]+$/.test(line));
  return rows.map((row) => row.replace(/\s*\|\s*/g, '|'));
}
