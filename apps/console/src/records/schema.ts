import schemas from '../api/generated/records.json' with { type: 'json' };

/** The part of a JSON Schema that the console uses to build inputs. */
export interface MemberSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | null)[];
  readonly format?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly default?: unknown;
  readonly description?: string;
  readonly readOnly?: boolean;
  readonly contentMediaType?: string;
  /** The schema of the JSON that the text of the member contains. */
  readonly contentSchema?: MemberSchema;
  /** The labels of the values of `enum`. */
  readonly 'x-enum-labels'?: Readonly<Record<string, string>>;
  readonly items?: MemberSchema;
  readonly properties?: Readonly<Record<string, MemberSchema>>;
  readonly required?: readonly string[];
}

/** The values of a form, or of an object within a form. */
export type FormValues = Record<string, unknown>;

/** The published schemas of the kinds of record. */
export const recordSchemas: Readonly<Record<keyof typeof schemas, MemberSchema>> = schemas;

/** Returns whether a member accepts null. */
export function isNullable({ type, enum: words }: MemberSchema): boolean {
  return Array.isArray(type) ? type.includes('null') : (words?.includes(null) ?? false);
}

/** Returns whether a member is a list of objects. */
export function isObjectList({ items }: MemberSchema): boolean {
  return items?.properties !== undefined;
}

/**
 * Returns the member that identifies the objects of a list if the objects have no other content. For example, `cohorts`
 * and the `partners` of a contact name other records, and a form shows them as lists of names.
 */
export function namingMember({ items }: MemberSchema): string | undefined {
  const members = Object.keys(items?.properties ?? {});
  return ['cohort', 'name'].find((name) => members.includes(name) && members.length === 2);
}

/** Returns the values of an empty form. */
export function blankValues(schema: MemberSchema): FormValues {
  return valuesOf(schema, {});
}

/**
 * Returns the values of a form for a document. A nullable member becomes text, and a list of naming objects becomes a
 * list of names.
 */
export function valuesOf(schema: MemberSchema, document: Readonly<Record<string, unknown>>): FormValues {
  return Object.fromEntries(
    writable(schema).map(([name, member]) => [name, valueOf(member, document[name] ?? member.default ?? null)]),
  );
}

/** Returns the document for the values of a form. */
export function documentOf(schema: MemberSchema, values: FormValues): FormValues {
  return Object.fromEntries(writable(schema).map(([name, member]) => [name, memberOf(member, values[name])]));
}

/** Returns the writable members in the order of the schema. */
export function writable({ properties = {} }: MemberSchema): [string, MemberSchema][] {
  return Object.entries(properties).filter(([, { readOnly }]) => readOnly !== true);
}

function valueOf(schema: MemberSchema, value: unknown): unknown {
  const naming = namingMember(schema);
  if (Array.isArray(value)) {
    if (naming !== undefined) return value.map((each) => String((each as FormValues)[naming]));
    const { items } = schema;
    return items && isObjectList(schema) ? value.map((each) => valuesOf(items, each as FormValues)) : value.map(String);
  }
  if (typeof value === 'boolean') return isNullable(schema) ? String(value) : value;
  return value === null ? '' : value;
}

function memberOf(schema: MemberSchema, value: unknown): unknown {
  const naming = namingMember(schema);
  if (Array.isArray(value)) {
    if (naming !== undefined) return value.map((name) => ({ [naming]: name as string }));
    const { items } = schema;
    if (items && isObjectList(schema)) return value.map((each) => documentOf(items, each as FormValues));
    return items?.type?.includes('integer') ? value.map(numberIfOne) : value;
  }
  const { type = [] } = schema;
  if (value === '' && isNullable(schema)) return null;
  if (type.includes('boolean') && typeof value === 'string') return value === 'true';
  if (type.includes('integer') && typeof value === 'string') return Number(value);
  return value;
}

/** Converts digits to a number, for members that accept an id or a name. */
function numberIfOne(value: unknown): unknown {
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
}
