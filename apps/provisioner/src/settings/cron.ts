import { ValidateBy, type ValidationOptions } from 'class-validator';
import { CronExpressionParser } from 'cron-parser';

/** The rule for a cron pattern, worded to follow the name of a field. */
export const cronRule = 'must be five cron fields, e.g. "0 2 * * *" for every night at two (UTC)';

/** Exactly five fields. The queue's scheduler also accepts six, of which the first means seconds. */
const shape = /^\S+( \S+){4}$/;

/** Whether a text is five cron fields with a next time. `0 0 31 4,6 *` has none. */
export function isCron(text: unknown): text is string {
  if (typeof text !== 'string' || !shape.test(text)) return false;
  try {
    nextTime(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the next time of a cron pattern after an instant, by default the present. Both are ISO 8601. */
export function nextTime(cron: string, after = new Date().toISOString()): string {
  return CronExpressionParser.parse(cron, { tz: 'UTC', currentDate: after }).next().toDate().toISOString();
}

/** Validates that a property is a cron pattern. */
export function IsCron(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    { name: 'isCron', validator: { validate: isCron, defaultMessage: () => `$property ${cronRule}` } },
    options,
  );
}
