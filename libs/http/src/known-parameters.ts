import {
  Injectable,
  SetMetadata,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import { InvalidInputError, type FieldProblem } from '@rdc/errors';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { keyParameter } from './deprecated-query-key.js';
import { argumentsOf } from './handler-arguments.js';
import { nearestName } from './nearest-name.js';
import { propertiesOf } from './body-shape.js';

/** Unknown parameters that an answer names at most; all are counted. */
const maxNamed = 20;

/** Characters of an unknown name that an answer repeats at most. */
const maxNameLength = 100;

const anyQueryKey = 'rdc:any-query';

/** Lets a handler take every query parameter: for addresses that another system calls with its own ones. */
export const AnyQuery = (): MethodDecorator => SetMetadata(anyQueryKey, true);

type Handler = (...args: unknown[]) => unknown;

/**
 * Refuses query parameters that the route does not take, after the guards have admitted the caller: a misspelled filter
 * would otherwise answer everything. Known are the properties of the handler's query class, and `API_KEY` everywhere.
 * Names that begin with `_` pass, for clients that add them against caches.
 */
@Injectable()
export class KnownParametersInterceptor implements NestInterceptor {
  private readonly known = new Map<Type, Map<Handler, ReadonlySet<string> | null>>();

  /** @throws InvalidInputError naming each unknown parameter and the nearest known one */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const names = this.namesOf(context);
    const { query } = context.switchToHttp().getRequest<FastifyRequest>();
    if (names) refuseUnknown(Object.keys(query as object), names);
    return next.handle();
  }

  /** The parameters of a handler; null when it takes every one. A class may share the handler of its base. */
  private namesOf(context: ExecutionContext): ReadonlySet<string> | null {
    const [type, handler] = [context.getClass(), context.getHandler() as Handler];
    const handlers = this.known.get(type) ?? new Map<Handler, ReadonlySet<string> | null>();
    this.known.set(type, handlers);
    const found = handlers.get(handler);
    if (found !== undefined) return found;
    const names = Reflect.hasMetadata(anyQueryKey, handler) ? null : new Set(declaredNames(context).sort());
    handlers.set(handler, names);
    return names;
  }
}

/** The names that the handler's `@Query()` arguments declare: a class with properties, or one name. */
function declaredNames(context: ExecutionContext): string[] {
  return argumentsOf(context, 'query').flatMap(({ part, type }) => {
    if (part !== undefined) return [part];
    return type ? [...propertiesOf(type).keys()] : [];
  });
}

function refuseUnknown(given: readonly string[], known: ReadonlySet<string>): void {
  const isKnown = (name: string): boolean => name === keyParameter || name.startsWith('_') || known.has(name);
  const unknown = given.filter((name) => !isKnown(name));
  if (unknown.length === 0) return;
  const problems = unknown.slice(0, maxNamed).map((name) => problemOf(name, known));
  throw new InvalidInputError(problems, unknown.length);
}

function problemOf(name: string, known: ReadonlySet<string>): FieldProblem {
  const allowed = [...known];
  const nearest = nearestName(name, [...allowed, keyParameter]);
  const advice =
    nearest !== undefined
      ? `did you mean ${nearest}?`
      : allowed.length > 0
        ? `the parameters are ${listed(allowed)}`
        : 'this address takes none';
  return {
    field: name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name,
    problem: `is not a parameter here; ${advice}`,
    ...(nearest !== undefined && { nearest }),
    allowed,
  };
}

/** Names as a sentence has them: `a`, `a and b`, `a, b and c`. */
function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${last}` : last;
}
