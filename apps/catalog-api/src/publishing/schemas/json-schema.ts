/** A JSON Schema (2020-12), as far as our documents need it. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly default?: unknown;
  /** What only the catalog can know: told in answers, ignored in writes. */
  readonly readOnly?: boolean;
  readonly [keyword: string]: unknown;
}

/** Characters of a free text at most. */
const maxNotes = 1_000_000;

/** A text that must say something. */
export function requiredText(maxLength: number, description: string): JsonSchema {
  return { type: 'string', maxLength, pattern: '\\S', description };
}

/** A text that may be absent; an empty one counts as absent. */
export function optionalText(description: string, maxLength = maxNotes): JsonSchema {
  return { type: ['string', 'null'], maxLength, default: null, description };
}

/** A text that is always there, be it empty. */
export function plainText(maxLength: number, description: string): JsonSchema {
  return { type: 'string', maxLength, default: '', description };
}

/** Yes or no. */
export function flag(fallback: boolean, description: string): JsonSchema {
  return { type: 'boolean', default: fallback, description };
}

/** One of some words. */
export function choice(words: readonly string[], fallback: string, description: string): JsonSchema {
  return { enum: [...words], default: fallback, description };
}

/** One of some words, or null. */
export function optionalChoice(words: readonly string[], description: string): JsonSchema {
  return { enum: [...words, null], default: null, description };
}

/** A day, or null. */
export function optionalDay(description: string): JsonSchema {
  return { type: ['string', 'null'], format: 'date', default: null, description };
}

/** A list, which may be empty. */
export function listOf(items: JsonSchema, description: string): JsonSchema {
  return { type: 'array', items, default: [], description };
}

/** An object that has these members and no others. */
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

/** A member that only the catalog can know. */
export function readOnly(schema: JsonSchema): JsonSchema {
  return { ...schema, readOnly: true };
}

/** The accession of a record. */
export const externalId: JsonSchema = {
  type: ['string', 'null'],
  maxLength: 255,
  pattern: '\\D',
  default: null,
  description: 'The accession. It never changes once given, and is never digits only.',
};

/** Free metadata: a JSON object, serialised. Writers may send the object itself. */
export const metadata: JsonSchema = {
  type: ['string', 'object'],
  contentMediaType: 'application/json',
  contentSchema: { type: 'object' },
  default: '{}',
  description: 'A JSON object serialised into a string; a writer may send the object itself.',
};

/** Members that every published record begins with. */
export const recordMembers = {
  $schema: readOnly({ type: 'string', description: 'The address of this schema.' }),
  source: readOnly({ type: ['string', 'null'], description: 'The catalog a record comes from.' }),
  id_at_source: readOnly({ type: ['string', 'null'], description: 'The number of the record there.' }),
} satisfies Record<string, JsonSchema>;

/** What a catalog key is told of partners and cohorts. */
export const publishedMember = readOnly({
  type: 'boolean',
  description: 'Whether everybody may read it. Told to whoever may write; see the addresses publish and unpublish.',
});

/** The schema of one kind of record. */
export function recordSchema(name: string, description: string, members: JsonSchema): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `/schemas/${name}.json`,
    title: name,
    ...members,
    description,
  };
}
