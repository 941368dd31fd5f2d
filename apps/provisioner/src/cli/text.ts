import { escapeUnsafe } from '../model/unsafe-names.js';

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** Returns a number of bytes as text, e.g. `1.5 GiB`. */
export function sizeText(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** step;
  return `${step === 0 ? String(value) : value.toFixed(1)} ${units[step] ?? ''}`;
}

/** Returns a number of seconds as text, e.g. `2 h 5 min`. */
export function durationText(seconds: number): string {
  if (seconds < 60) return `${String(seconds)} s`;
  if (seconds < 3600) return `${String(Math.ceil(seconds / 60))} min`;
  return `${String(Math.floor(seconds / 3600))} h ${String(Math.floor((seconds % 3600) / 60))} min`;
}

/** Yields the lines of a table with a heading. Columns are as wide as their longest cell. Cells are escaped. */
export function* tableLines(heads: readonly string[], rows: readonly (readonly string[])[]): Generator<string> {
  const cells = [heads, ...rows.map((row) => row.map(escapeUnsafe))];
  const widths = heads.map((_, column) => cells.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0));
  for (const row of cells)
    yield row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
}
