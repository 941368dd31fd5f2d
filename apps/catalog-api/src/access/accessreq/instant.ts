/** A day or an instant in ISO 8601, in the extended or the basic form, with or without an offset. */
const isoInstant =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/**
 * Reads an instant in ISO 8601, to the millisecond. A day stands for its first instant. The default offset is UTC.
 *
 * @returns null if the text is no valid instant, or its year in UTC is not from 1 to 9999
 */
export function parseInstant(text: string): Date | null {
  const match = isoInstant.exec(text);
  if (!match) return null;
  const parts = Array.from({ length: 6 }, (_, at) => Number(match[at + 1] ?? 0));
  const [year, month, day, hour, minute, second] = parts as Six;
  const milliseconds = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  const isDay = year > 0 && local.getUTCMonth() === month - 1 && local.getUTCDate() === day;
  if (!isDay || hour > 23 || minute > 59 || second > 59) return null;
  local.setUTCHours(hour, minute, second, milliseconds);
  const offset = offsetMinutes(match[8] ?? 'Z');
  if (offset === null) return null;
  const instant = new Date(local.getTime() - offset * 60_000);
  const isWritable = instant.getUTCFullYear() > 0 && instant.getUTCFullYear() <= 9999;
  return isWritable ? instant : null;
}

type Six = [number, number, number, number, number, number];

function offsetMinutes(text: string): number | null {
  if (text.toUpperCase() === 'Z') return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(3).replace(':', '') || '0');
  if (hours > 23 || minutes > 59) return null;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
