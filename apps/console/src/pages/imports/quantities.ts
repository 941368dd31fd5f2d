import { texts } from '../../texts/texts.ts';

const sizeUnits = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
const timeUnits = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/** Formats a number of bytes, e.g. `1.5 GB`. Null is shown as unknown. */
export function sizeText(bytes: number | null): string {
  if (bytes === null) return texts.imports.unknown;
  const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), sizeUnits.length - 1);
  const number = (bytes / 1000 ** power).toLocaleString('en', { maximumFractionDigits: 1 });
  return `${number} ${sizeUnits[power] ?? ''}`;
}

/** Formats a number. Null is shown as unknown. */
export function countText(count: number | null): string {
  return count === null ? texts.imports.unknown : count.toLocaleString('en');
}

/** Formats a duration by its two largest units, e.g. `2 h 5 min`. */
export function spanText(seconds: number | null): string {
  if (seconds === null) return texts.imports.unknown;
  let rest = Math.ceil(seconds);
  const parts: string[] = [];
  for (const [length, unit] of timeUnits) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0) parts.push(`${String(count)} ${unit}`);
  }
  return parts.slice(0, 2).join(' ') || `0 ${timeUnits[3][1]}`;
}
