import { CronExpressionParser } from 'cron-parser';

/** Five fields. The parser also accepts six, of which the first counts seconds. */
const fiveFields = /^\S+( \S+){4}$/;

/** The field `H`, for which the parser draws a random number. Replicas would then follow different schedules. */
const randomField = /(^|[\s,])H/i;

/** Whether a value is a cron pattern of five fields that matches at least one date. `0 0 31 4,6 *` matches none. */
export function isCron(value: unknown): value is string {
  if (typeof value !== 'string' || !fiveFields.test(value) || randomField.test(value)) return false;
  try {
    nextCronTime(value);
    return true;
  } catch {
    return false;
  }
}

/** Returns the first time after `after` that matches a cron pattern in UTC. @throws Error if no time matches */
export function nextCronTime(pattern: string, after = new Date()): Date {
  return CronExpressionParser.parse(pattern, { tz: 'UTC', currentDate: after }).next().toDate();
}
