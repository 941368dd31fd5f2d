import { ValidateBy, type ValidationOptions } from 'class-validator';
import { CronExpressionParser } from 'cron-parser';

/** What a time that comes again must look like, as it reads after the name of a field. */
export const cronRule = 'must be five cron fields, e.g. "0 2 * * *" for every night at two (UTC)';

/** Five fields, or six with seconds first; what the queue's scheduler understands. */
const shape = /^\S+( \S+){4,5}$/;

/** Whether a text is a cron pattern that comes round, which `0 0 31 4,6 *` does not. */
export function isCron(text: unknown): text is string {
  if (typeof text !== 'string' || !shape.test(text)) return false;
  try {
    nextTime(text);
    return true;
  } catch {
    return false;
  }
}

/** When a cron pattern comes round next after a time, now unless another is given; both ISO 8601. */
export function nextTime(cron: string, after = new Date().toISOString()): string {
  return CronExpressionParser.parse(cron, { tz: 'UTC', currentDate: after }).next().toDate().toISOString();
}

/** A text that is a cron pattern. */
export function IsCron(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    { name: 'isCron', validator: { validate: isCron, defaultMessage: () => `$property ${cronRule}` } },
    options,
  );
}
