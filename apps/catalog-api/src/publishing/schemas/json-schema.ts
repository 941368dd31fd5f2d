/** A JSON Schema (2020-12), limited to the keywords that record schemas use. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly default?: unknown;
  /** Whether the catalog sets the member. Responses contain the member; writes ignore it. */
  readonly readOnly?: boolean;
  readonly [keyword: string]: unknown;
}

/** The annotation of an `enum` with a label for people for each value. */
export const enumLabels = 'x-enum-labels';

/** The maximum number of characters of a free text. */
export const maxNotes = 1_000_000;

/** Returns the schema of a text that must not be blank. */
export function requiredText(maxLength: number, description: string): JsonSchema {
  return { type: 'string', maxLength, pattern: '\\S', description };
}

/** Returns the schema of an optional text. An empty text counts as absent. */
export function optionalText(description: string, maxLength = maxNotes): JsonSchema {
  return { type: ['string', 'null'], maxLength, default: null, description };
}

/** Returns the schema of a text that may be empty but is never null. */
export function plainText(maxLength: number, description: string): JsonSchema {
  return { type: 'string', maxLength, default: '', description };
}

/** Returns the schema of a boolean. */
export function flag(fallback: boolean, description: string): JsonSchema {
  return { type: 'boolean', default: fallback, description };
}

/** Returns the schema of one of several words. */
export function choice(words: readonly string[], fallback: string, description: string): JsonSchema {
  return { enum: [...words], default: fallback, description };
}

/** Returns the schema of one of several words, or null. */
export function optionalChoice(words: readonly string[], description: string): JsonSchema {
  return { enum: [...words, null], default: null, description };
}

/** Returns the schema of a day, or null. */
export function optionalDay(description: string): JsonSchema {
  return { type: ['string', 'null'], format: 'date', default: null, description };
}

/** Returns the schema of a list, which may be empty. */
export function listOf(items: JsonSchema, description: string): JsonSchema {
  return { type: 'array', items, default: [], description };
}

/** Returns the schema of an object without other members. */
export function objectOf(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
  description?: string,
): JsonSchema {
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    properties,
    required: [...required],
    additionalProperties: false,
  };
}

/** Returns the schema of a member that only the catalog sets. */
export function readOnly(schema: JsonSchema): JsonSchema {
  return { ...schema, readOnly: true };
}

/** The schema of the accession of a record. */
export const externalId: JsonSchema = {
  type: ['string', 'null'],
  maxLength: 255,
  pattern: '\\D',
  default: null,
  description: 'The accession. An assigned accession never changes. It is never digits only.',
};

/** The schema of free metadata. */
export const metadata: JsonSchema = {
  type: ['string', 'object'],
  contentMediaType: 'application/json',
  contentSchema: { type: 'object' },
  default: '{}',
  description: 'A JSON object serialised as a string. A writer may send the object itself.',
};

/** The schemas of the first members of every published record. */
export const recordMembers = {
  $schema: readOnly({ type: 'string', description: 'The address of this schema.' }),
  source: readOnly({
    type: ['string', 'null'],
    description: 'The catalog from which the record was imported, or this catalog.',
  }),
  id_at_source: readOnly({ type: ['string', 'null'], description: 'The number of the record in the `source`.' }),
  updated_at: readOnly({
    type: ['string', 'null'],
    description: 'The instant at which the record last changed as the caller sees it. Only with `?with=updated_at`.',
  }),
} satisfies Record<string, JsonSchema>;

/** The schema of the publication state of partners and cohorts. */
export const publishedMember = readOnly({
  type: 'boolean',
  description: 'Whether callers without a key may read the record. Only callers who may write see this member.',
});

/** Returns the schema of one kind of record. */
export function recordSchema(name: string, description: string, members: JsonSchema): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `/schemas/${name}.json`,
    title: name,
    ...members,
    description,
  };
}
