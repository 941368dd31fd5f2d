import { parseBytes } from '@rdc/settings';

/** A rate that applies from a minute of the day, in local time. */
export interface RateChange {
  readonly minute: number;
  /** 0 means no limit. */
  readonly bytesPerSecond: number;
}

const minutesPerHour = 60;

/**
 * Parses `50M`, or a timetable such as `08:00 50M 19:00 off`. Each rate applies from its local time until the next one;
 * the last applies past midnight.
 *
 * @returns the changes sorted by time; null if the text has another form
 */
export function parseRates(text: string): readonly RateChange[] | null {
  const words = text.trim().split(/[\s,]+/);
  if (words.length === 1) return nullIfInvalid([{ minute: 0, bytesPerSecond: rateOf(words[0] ?? '') }]);
  if (words.length % 2 !== 0) return null;
  const changes = Array.from({ length: words.length / 2 }, (_, index) => ({
    minute: minuteOf(words[2 * index] ?? ''),
    bytesPerSecond: rateOf(words[2 * index + 1] ?? ''),
  }));
  return nullIfInvalid(changes);
}

/** Returns the rate of a timetable at an instant, in bytes per second; 0 if there is no limit. */
export function rateAt(changes: readonly RateChange[], when: Date): number {
  const minute = when.getHours() * minutesPerHour + when.getMinutes();
  const current = changes.findLast((change) => change.minute <= minute) ?? changes.at(-1);
  return current?.bytesPerSecond ?? 0;
}

function nullIfInvalid(changes: readonly RateChange[]): readonly RateChange[] | null {
  const isValid = changes.every((change) => Object.values(change).every((value) => Number.isFinite(value)));
  const isUnique = new Set(changes.map(({ minute }) => minute)).size === changes.length;
  return isValid && isUnique ? [...changes].sort((one, other) => one.minute - other.minute) : null;
}

function rateOf(word: string): number {
  if (word === 'off') return 0;
  const bytes = parseBytes(word);
  return bytes > 0 ? bytes : Number.NaN;
}

function minuteOf(word: string): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(word) ?? [];
  return Number(hours) * minutesPerHour + Number(minutes);
}
