import { ValidateBy, type ValidationOptions } from 'class-validator';
import { CronExpressionParser } from 'cron-parser';

/** What a time that comes again must look like, as it reads after the name of a field. */
export const cronRule = 'must be five cron fields, e.g. "0 2 * * *" for every night at two (UTC)';

/** Five fields: with a sixth, which the queue's scheduler understands too, it would be seconds that come first. */
const shape = /^\S+( \S+){4}$/;

/** Whether a text is five cron fields that come round, which `0 0 31 4,6 *` do not. */
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
