import { isISO8601 } from 'class-validator';

const written = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(?<offset>Z|[+-]\d\d:?\d\d)?)?$/;

/** Later years, which an offset can lead to, are written with more digits, and not everybody reads them. */
const latestYear = 9999;

/** Whether a value from outside is a day, such as `2026-01-31`, or an instant, as ISO 8601 writes them. */
export function isDayOrInstant(value: unknown): value is string {
  // JavaScript alone would take the 30th of February for the 2nd of March.
  if (typeof value !== 'string' || !written.test(value) || !isISO8601(value, { strict: true })) return false;
  return read(value).getUTCFullYear() <= latestYear;
}

/** Whether a value from outside is an instant with its offset from UTC as ISO 8601 writes it, which `new Date` reads. */
export function isInstant(value: unknown): value is string {
  return isDayOrInstant(value) && hasOffset(value);
}

/** What {@link isDayOrInstant} takes, as an instant in UTC. A day is its beginning; what names no offset is in UTC. */
export function utcOf(text: string): string {
  return read(text).toISOString();
}

/** Without its offset `new Date` would take an instant for another one on each machine. */
function read(text: string): Date {
  return new Date(text.includes('T') && !hasOffset(text) ? `${text}Z` : text);
}

function hasOffset(text: string): boolean {
  return written.exec(text)?.groups?.['offset'] !== undefined;
}
