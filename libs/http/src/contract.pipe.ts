import { Injectable, type ArgumentMetadata, type PipeTransform, type Type } from '@nestjs/common';
import { InvalidInputError, type FieldProblem } from '@rdc/errors';
import { plainToInstance } from 'class-transformer';
import { validate, type ValidationError } from 'class-validator';
import { jsonOf } from './json-body.js';
import { propertiesOf } from './shape-properties.js';

const missableKey = 'rdc:body-may-be-missing';

/** Says of a body's class that a call without a body is as good as one with `{}`. */
export function BodyMayBeMissing(): ClassDecorator {
  return (target) => {
    Reflect.defineMetadata(missableKey, true, target);
  };
}

/**
 * Makes what a handler asked for out of what came, or refuses it with every problem at once.
 *
 * A parameter of a query may stand there once; those that the handler does not take were refused before, by
 * `KnownParametersInterceptor`, or are ignored. A body may hold nothing we do not know. A handler that declares its body `unknown` gets the parsed JSON and checks it itself.
 */
@Injectable()
export class ContractPipe implements PipeTransform {
  private readonly empties = new Map<Type, object>();

  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if (type === 'body') return this.shape(metatype, mayMiss(metatype, value) ? {} : jsonOf(value), true);
    if (type !== 'query' || !isShape(metatype)) return value;
    const given = single(metatype, value);
    return Object.keys(given).length > 0 ? this.shape(metatype, given, false) : this.empty(metatype);
  }

  /** A query without any of our parameters, which is most of them, comes out the same each time. */
  private async empty(metatype: Type): Promise<unknown> {
    const known = this.empties.get(metatype);
    if (known) return known;
    const made = Object.freeze(await this.shape(metatype, {}, false)) as object;
    this.empties.set(metatype, made);
    return made;
  }

  private async shape(metatype: Type | undefined, value: unknown, strict: boolean): Promise<unknown> {
    if (!isShape(metatype)) return value;
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
      throw new InvalidInputError([{ field: '', problem: 'The body must be a JSON object' }]);
    }
    const instance = plainToInstance(metatype, value, { exposeDefaultValues: true }) as object;
    const errors = await validate(instance, {
      whitelist: true,
      forbidNonWhitelisted: strict,
      forbidUnknownValues: false,
    });
    if (errors.length > 0) throw new InvalidInputError(problemsOf(errors));
    return instance;
  }
}

function mayMiss(metatype: Type | undefined, body: unknown): boolean {
  const missing = !Buffer.isBuffer(body) || body.length === 0;
  return missing && metatype !== undefined && Reflect.hasMetadata(missableKey, metatype);
}

function isShape(metatype: Type | undefined): metatype is Type {
  return metatype !== undefined && propertiesOf(metatype).size > 0;
}

/** The parameters of a query that its class has; each must stand there once. */
function single(metatype: Type, query: unknown): object {
  const entries = Object.entries(query as object).filter(([name]) => propertiesOf(metatype).has(name));
  const repeated = entries.filter(([, value]) => Array.isArray(value));
  if (repeated.length > 0) {
    throw new InvalidInputError(repeated.map(([field]) => ({ field, problem: 'must be given once' })));
  }
  const unstorable = entries.filter(([, value]) => typeof value === 'string' && value.includes('\0'));
  if (unstorable.length > 0) {
    throw new InvalidInputError(unstorable.map(([field]) => ({ field, problem: 'must not hold the character NUL' })));
  }
  return Object.fromEntries(entries);
}

/** Turns class-validator's tree into a flat list that names each place as a caller would write it. */
function problemsOf(errors: readonly ValidationError[], parent = ''): FieldProblem[] {
  return errors.flatMap(({ property, constraints = {}, children = [] }) => {
    const field = /^\d+$/.test(property) ? `${parent}[${property}]` : parent ? `${parent}.${property}` : property;
    const own = Object.entries(constraints).map(([rule, text]) => ({
      field,
      problem: rule === 'whitelistValidation' ? 'is not known here' : text.replace(`${property} `, ''),
    }));
    return [...own, ...problemsOf(children, field)];
  });
}
