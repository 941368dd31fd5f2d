import { Injectable, type ArgumentMetadata, type PipeTransform, type Type } from '@nestjs/common';
import { InvalidInputError, type FieldProblem } from '@rdc/errors';
import { plainToInstance } from 'class-transformer';
import { validate, type ValidationError } from 'class-validator';
import { mayBeMissing, propertiesOf, unknownMembersOf } from './body-shape.js';
import { IncomingBody } from './incoming-body.js';
import { jsonOf } from './json-body.js';

/** Maximum size of a body that a class describes. */
const maxShapeBytes = 1024 * 1024;

/** Size above which bodies are parsed one after the other. */
const largeBytes = 64 * 1024;

/**
 * A pipe that converts the query and the body to the declared classes, or reports all problems together.
 *
 * A query parameter may occur once; `KnownParametersInterceptor` refuses unknown parameters. A body may contain only
 * members of its class. A handler that declares its body as `unknown` receives the parsed JSON. A handler that declares
 * it as `Buffer` receives the bytes. The pipe reads the body after the guard has admitted the caller.
 */
@Injectable()
export class ContractPipe implements PipeTransform {
  private readonly empties = new Map<Type, object>();
  /** Resolves when no large body is being parsed. */
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

  /** Parses large bodies one after the other, so that many large bodies block the event loop no longer than one. */
  private parse(bytes: Buffer, body: unknown): Promise<unknown> {
    const maxValues = body instanceof IncomingBody ? body.maxValues : undefined;
    if (bytes.length <= largeBytes) return jsonOf(bytes, maxValues);
    const parsed = this.largeParsed.then(() => jsonOf(bytes, maxValues));
    this.largeParsed = parsed.catch(() => undefined);
    return parsed;
  }

  /** Returns the cached result for a query without known parameters, which is the most frequent query. */
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

/**
 * Returns the query parameters that the class declares.
 *
 * @throws InvalidInputError if a parameter is repeated or contains NUL
 */
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

/** Converts class-validator's tree of errors to a list of problems with paths such as `contacts[0].email`. */
function problemsOf(errors: readonly ValidationError[], parent = ''): FieldProblem[] {
  return errors.flatMap(({ property, constraints = {}, children = [] }) => {
    const field = /^\d+$/.test(property) ? `${parent}[${property}]` : parent ? `${parent}.${property}` : property;
    const own = Object.values(constraints).map((text) => ({ field, problem: text.replace(`${property} `, '') }));
    return [...own, ...problemsOf(children, field)];
  });
}
