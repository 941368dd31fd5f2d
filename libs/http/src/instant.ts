import { isISO8601 } from 'class-validator';

const written = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d))?$/;

/** Later years, which an offset can lead to, are written with more digits, and not everybody reads them. */
const latestYear = 9999;

/** Whether a value from outside is a day, such as `2026-01-31`, or what {@link isInstant} takes. */
export function isDayOrInstant(value: unknown): value is string {
  // JavaScript alone would take the 30th of February for the 2nd of March.
  if (typeof value !== 'string' || !written.test(value) || !isISO8601(value, { strict: true })) return false;
  return new Date(value).getUTCFullYear() <= latestYear;
}

/**
 * Whether a value from outside is an instant with its offset from UTC as ISO 8601 writes it, which `new Date` reads.
 * Without its offset it would be another instant on each machine.
 */
export function isInstant(value: unknown): value is string {
  return isDayOrInstant(value) && value.includes('T');
}
