/** The OpenAPI schema of a text. */
export const textSchema = { type: 'string' } as const;

/** The OpenAPI schema of an integer. */
export const integerSchema = { type: 'integer' } as const;

/** Returns the OpenAPI schema of an object whose members are all required. */
export function objectSchema(properties: Readonly<Record<string, object>>) {
  return { type: 'object' as const, properties, required: Object.keys(properties) };
}

/** Returns the OpenAPI schema of an array. */
export function arraySchema(items: object) {
  return { type: 'array' as const, items };
}
