import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import { ValidateBy } from 'class-validator';

/** A parameter that is a whole number in a range. */
export function IsWholeNumber(from: number, to: number): PropertyDecorator {
  const isInRange = (value: unknown): boolean =>
    Number.isInteger(value) && Number(value) >= from && Number(value) <= to;
  const defaultMessage = (): string => `$property must be a whole number from ${String(from)} to ${String(to)}`;
  return applyDecorators(
    Type(() => Number),
    ValidateBy({ name: 'isWholeNumber', validator: { validate: isInRange, defaultMessage } }),
  );
}
