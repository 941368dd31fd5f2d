import { CronExpressionParser } from 'cron-parser';

/** Five fields. The parser also accepts six, of which the first counts seconds. */
const fiveFields = /^\S+( \S+){4}$/;

/** The field `H`, for which the parser draws a random number. Replicas would then follow different schedules. */
const randomField = /(^|[\s,])H/i;

/** Whether a text is a cron pattern of five fields that matches at least one date. `0 0 31 4,6 *` matches none. */
export function isCron(text: string): boolean {
  if (!fiveFields.test(text) || randomField.test(text)) return false;
  try {
    nextMatch(text, new Date());
    return true;
  } catch {
    return false;
  }
}

/** Returns the first time after `after` that matches a cron pattern in UTC. @throws Error if no time matches */
export function nextMatch(pattern: string, after: Date): Date {
  return CronExpressionParser.parse(pattern, { tz: 'UTC', currentDate: after }).next().toDate();
}
