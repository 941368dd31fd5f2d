import { Injectable, type ArgumentMetadata, type PipeTransform, type Type } from '@nestjs/common';
import { InvalidInputError, type FieldProblem } from '@rdc/errors';
import { plainToInstance } from 'class-transformer';
import { validate, type ValidationError } from 'class-validator';
import { mayBeMissing, propertiesOf, unknownMembersOf } from './body-shape.js';
import { IncomingBody } from './incoming-body.js';
import { jsonOf } from './json-body.js';

/** Bytes of a body that is described by a class: our own classes are small. */
const maxShapeBytes = 1024 * 1024;

/** Bytes of a body from which on it waits for its turn to be parsed. */
const largeBytes = 64 * 1024;

/**
 * Makes what a handler asked for out of what came, or refuses it with every problem at once.
 *
 * A parameter of a query may stand there once; `KnownParametersInterceptor` has refused those that the handler does not
 * take. A body may hold members of its class only. A handler that declares its body `unknown` gets the parsed JSON, one
 * that declares it `Buffer` the bytes, and checks it itself. The body is read here, after the guard has let the caller in.
 */
@Injectable()
export class ContractPipe implements PipeTransform {
  private readonly empties = new Map<Type, object>();
  /** Ends when no large body is being parsed. */
  private largeParsed: Promise<unknown> = Promise.resolve();

  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if (type === 'body') return this.body(value, metatype);
    if (type !== 'query' || !isShape(metatype)) return value;
    const given = single(metatype, value);
    return Object.keys(given).length > 0 ? this.shape(metatype, given, false) : this.empty(metatype);
  }

  private async body(body: unknown, metatype: Type | undefined): Promise<unknown> {
    const limit = isShape(metatype) ? maxShapeBytes : undefined;
    const bytes = body instanceof IncomingBody ? await body.read(limit) : Buffer.alloc(0);
    if ((metatype as unknown) === Buffer) return bytes;
    const value = bytes.length === 0 && mayBeMissing(metatype) ? {} : await this.parse(bytes, body);
    return this.shape(metatype, value, true);
  }

  /** Parses large bodies one after the other, so that many of them hold the event loop no longer than one. */
  private parse(bytes: Buffer, body: unknown): Promise<unknown> {
    const maxValues = body instanceof IncomingBody ? body.maxValues : undefined;
    if (bytes.length <= largeBytes) return jsonOf(bytes, maxValues);
    const parsed = this.largeParsed.then(() => jsonOf(bytes, maxValues));
    this.largeParsed = parsed.catch(() => undefined);
    return parsed;
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
    const unknown = strict ? unknownMembersOf(metatype, value) : [];
    const known = Object.fromEntries(Object.entries(value).filter(([member]) => propertiesOf(metatype).has(member)));
    const instance = plainToInstance(metatype, known, { exposeDefaultValues: true }) as object;
    const errors = await validate(instance, { whitelist: true, forbidUnknownValues: false });
    const problems = [...unknown, ...problemsOf(errors)];
    if (problems.length > 0) throw new InvalidInputError(problems);
    return instance;
  }
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
    const own = Object.values(constraints).map((text) => ({ field, problem: text.replace(`${property} `, '') }));
    return [...own, ...problemsOf(children, field)];
  });
}
