import type { ExecutionContext, Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';

/** An argument of a handler that Nest reads from the request. */
export interface HandlerArgument {
  /** The name in `@Query('name')`; undefined if the argument is the whole query or body. */
  readonly part: string | undefined;
  /** The declared class; undefined if TypeScript records none. */
  readonly type: Type | undefined;
}

const places = { query: RouteParamtypes.QUERY, body: RouteParamtypes.BODY } as const;

/** Returns the arguments that a handler declares with `@Query()` or `@Body()`, from Nest's internal metadata. */
export function argumentsOf(context: ExecutionContext, from: keyof typeof places): readonly HandlerArgument[] {
  const type = context.getClass();
  const method = context.getHandler().name;
  const declared = (Reflect.getMetadata(ROUTE_ARGS_METADATA, type, method) ?? {}) as Readonly<
    Record<string, { readonly index: number; readonly data?: unknown }>
  >;
  const types = (Reflect.getMetadata('design:paramtypes', type.prototype as object, method) ?? []) as Type[];
  return Object.entries(declared)
    .filter(([place]) => place.startsWith(`${String(places[from])}:`))
    .map(([, { index, data }]) => ({ part: typeof data === 'string' ? data : undefined, type: types[index] }));
}
