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

/** Maximum number of unknown parameters that a response names. */
const maxNamed = 20;

/** Maximum number of characters of an unknown name that a response repeats. */
const maxNameLength = 100;

const anyQueryKey = 'rdc:any-query';

/** Marks a handler that accepts every query parameter, because another system calls it with parameters of its own. */
export const AnyQuery = (): MethodDecorator => SetMetadata(anyQueryKey, true);

type Handler = (...args: unknown[]) => unknown;

/**
 * An interceptor that refuses unknown query parameters: a misspelled filter would otherwise return all records. Known
 * parameters are the properties of the handler's query class and `API_KEY`. Names that begin with `_` are ignored,
 * because some clients add them to bypass caches.
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

  /** Returns the parameters of a handler; null if it accepts every parameter. A class may inherit a handler. */
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

/** Returns the names that the `@Query()` arguments of a handler declare. */
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

/** Returns names as part of a sentence: `a`, `a and b`, `a, b and c`. */
function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${last}` : last;
}
