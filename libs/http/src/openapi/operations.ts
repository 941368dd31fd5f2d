import type { OpenAPIObject } from '@nestjs/swagger';

/** An operation of an OpenAPI description. */
export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

/** The methods of operations. */
export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** An operation with its place in the description. */
export interface PlacedOperation {
  readonly path: string;
  readonly method: (typeof methods)[number];
  readonly operation: Operation;
}

/** Returns the operations of a description. */
export function operationsOf({ paths }: Pick<OpenAPIObject, 'paths'>): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, method, operation }] : [];
    }),
  );
}
