import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';

/** Digits alone: `Number` would take `0x10`, `1e1` and nothing at all too. */
const digits = /^\d{1,15}$/;

/** A parameter that is a whole number in a range. `null` is none. */
export function IsWholeNumber(from: number, to: number): PropertyDecorator {
  const numberOf = (text: unknown): unknown =>
    typeof text === 'string' && digits.test(text) ? Number(text) : (text ?? undefined);
  const isInRange = (value: unknown): boolean =>
    Number.isInteger(value) && Number(value) >= from && Number(value) <= to;
  const defaultMessage = (): string => `$property must be a whole number from ${String(from)} to ${String(to)}`;
  return applyDecorators(
    Transform(({ value }) => numberOf(value)),
    ValidateBy({ name: 'isWholeNumber', validator: { validate: isInRange, defaultMessage } }),
  );
}
