import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';

/** Only digits, because `Number` also accepts `0x10`, `1e1` and an empty text. */
const digits = /^\d{1,15}$/;

/** Documents and validates that a parameter is a whole number in a range, and converts it. Treats `null` as absent. */
export function IsWholeNumber(from: number, to: number): PropertyDecorator {
  const numberOf = (text: unknown): unknown =>
    typeof text === 'string' && digits.test(text) ? Number(text) : (text ?? undefined);
  const isInRange = (value: unknown): boolean =>
    Number.isInteger(value) && Number(value) >= from && Number(value) <= to;
  const defaultMessage = (): string => `$property must be a whole number from ${String(from)} to ${String(to)}`;
  return applyDecorators(
    ApiProperty({ type: 'integer', minimum: from, maximum: to }),
    Transform(({ value }) => numberOf(value)),
    ValidateBy({ name: 'isWholeNumber', validator: { validate: isInRange, defaultMessage } }),
  );
}
