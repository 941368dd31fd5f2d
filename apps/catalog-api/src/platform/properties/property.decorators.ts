import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsEmail,
  IsIn,
  IsInt,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import { isInstant } from '@rdc/http';
import { maxId } from '../database/ids.js';

/** The options of every property of a body. One decorator both validates and documents the property. */
interface PropertyOptions {
  readonly description: string;
  /** Whether the property may be absent. */
  readonly optional?: boolean;
  /** Whether the property may be null. */
  readonly nullable?: boolean;
}

/** Declares text of `min` to `max` characters. */
export function Text(options: PropertyOptions & { max: number; min?: number }): PropertyDecorator {
  const { max, min = 0 } = options;
  return property(options, { type: 'string', minLength: min, maxLength: max }, [
    MaxLength(max, { message: `$property must have at most ${String(max)} characters` }),
    ...(min > 0 ? [MinLength(min, { message: '$property must not be empty' })] : []),
    IsString({ message: '$property must be text' }),
  ]);
}

/** Declares an e-mail address. */
export function Email(options: PropertyOptions): PropertyDecorator {
  return property(options, { type: 'string', format: 'email', maxLength: 254 }, [
    MaxLength(254),
    IsEmail({ allow_underscores: true }, { message: '$property must be an e-mail address' }),
  ]);
}

/** Declares a boolean. */
export function Flag(options: PropertyOptions): PropertyDecorator {
  return property(options, { type: 'boolean' }, [IsBoolean({ message: '$property must be true or false' })]);
}

/** Declares a whole number from `min` to `max`. */
export function WholeNumber(options: PropertyOptions & { min: number; max: number }): PropertyDecorator {
  const { min, max } = options;
  const message = `$property must be a whole number from ${String(min)} to ${String(max)}`;
  return property(options, { type: 'integer', minimum: min, maximum: max }, [
    IsInt({ message }),
    Min(min, { message }),
    Max(max, { message }),
  ]);
}

/** Declares the id of another record. */
export function Id(options: PropertyOptions): PropertyDecorator {
  return WholeNumber({ ...options, min: 1, max: maxId });
}

/** Declares an instant in ISO 8601 with its offset from UTC. */
export function InstantText(options: PropertyOptions): PropertyDecorator {
  const message = '$property must be an instant in ISO 8601 with its offset, such as 2027-01-31T12:00:00Z';
  return property(options, { type: 'string', format: 'date-time' }, [
    ValidateBy({ name: 'isInstant', validator: { validate: isInstant, defaultMessage: () => message } }),
  ]);
}

/** Declares one of some words. */
export function OneOf(words: readonly string[], options: PropertyOptions): PropertyDecorator {
  return property(options, { type: 'string', enum: [...words] }, [
    IsIn(words, { message: `$property must be one of ${words.join(', ')}` }),
  ]);
}

/** Declares a list of words without duplicates. */
export function SomeOf(words: readonly string[], options: PropertyOptions): PropertyDecorator {
  return property(options, { type: 'array', uniqueItems: true, items: { type: 'string', enum: [...words] } }, [
    IsIn(words, { each: true, message: `$property must each be one of ${words.join(', ')}` }),
    ArrayUnique({ message: '$property must not contain duplicates' }),
    IsArray({ message: '$property must be an array' }),
  ]);
}

/** Declares a list of ids without duplicates. */
export function Ids(options: PropertyOptions): PropertyDecorator {
  const message = '$property must contain only ids: whole numbers from 1 to 2147483647';
  return property(options, { type: 'array', uniqueItems: true, maxItems: 1000, items: { type: 'integer' } }, [
    Max(maxId, { each: true, message }),
    Min(1, { each: true, message }),
    IsInt({ each: true, message }),
    ArrayUnique({ message: '$property must not contain duplicates' }),
    ArrayMaxSize(1000, { message: '$property must have at most 1000 entries' }),
    IsArray({ message: '$property must be an array' }),
  ]);
}

function property(
  { description, optional = false, nullable = false }: PropertyOptions,
  schema: object,
  checks: readonly PropertyDecorator[],
): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ description, required: !optional, nullable, ...schema }),
    ValidateIf((_, value) => !(optional && value === undefined) && !(nullable && value === null)),
    ...checks,
  );
}
