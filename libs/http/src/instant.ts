import { isISO8601 } from 'class-validator';

/** The OpenAPI schema of a value that {@link isDayOrInstant} accepts. */
export const dayOrInstantSchema = {
  type: 'string' as const,
  anyOf: [
    { type: 'string', format: 'date-time' },
    { type: 'string', format: 'date' },
  ],
};

const written = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(?<offset>Z|[+-]\d\d:?\d\d)?)?$/;

/** Later years, which can result from an offset, have more digits, which many programs cannot read. */
const latestYear = 9999;

/** Returns whether a value is a day, such as `2026-01-31`, or an instant in the format of ISO 8601. */
export function isDayOrInstant(value: unknown): value is string {
  // `new Date` alone would read the 30th of February as the 2nd of March.
  if (typeof value !== 'string' || !written.test(value) || !isISO8601(value, { strict: true })) return false;
  return read(value).getUTCFullYear() <= latestYear;
}

/** Returns whether a value is an instant with an offset from UTC in the format of ISO 8601. */
export function isInstant(value: unknown): value is string {
  return isDayOrInstant(value) && hasOffset(value);
}

/**
 * Converts a text that {@link isDayOrInstant} accepts to an instant in UTC. A day becomes its beginning. The default
 * offset is UTC.
 */
export function utcOf(text: string): string {
  return read(text).toISOString();
}

/** Reads an instant without an offset as UTC, because `new Date` would use the machine's time zone. */
function read(text: string): Date {
  return new Date(text.includes('T') && !hasOffset(text) ? `${text}Z` : text);
}

function hasOffset(text: string): boolean {
  return written.exec(text)?.groups?.['offset'] !== undefined;
}
