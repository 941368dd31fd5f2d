import { type FormValues, isNullable, type MemberSchema } from '../records/schema.ts';
import { schemaOf } from '../records/kinds.ts';

/** The member of the metadata with the facts of HealthDCAT-AP that a steward states. */
export const healthMember = 'healthdcat';

/** The schema of the facts. Absent facts are null in the form. */
export const healthSchema: MemberSchema = withNulls(
  schemaOf('datasets').properties?.['metadata']?.contentSchema?.properties?.[healthMember] ?? {},
);

/** Returns the metadata of a record, which a record contains as text. */
export function metadataOf({ metadata }: Readonly<Record<string, unknown>>): FormValues {
  return typeof metadata === 'string' ? (JSON.parse(metadata) as FormValues) : {};
}

/** Returns a document without its nulls and empty lists, which the service refuses or which state no fact. */
export function withoutBlanks(document: FormValues): FormValues {
  return Object.fromEntries(
    Object.entries(document)
      .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
      .map(([name, value]) => [name, Array.isArray(value) ? value.map(entryWithoutBlanks) : value]),
  );
}

function entryWithoutBlanks(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null ? withoutBlanks(entry as FormValues) : entry;
}

/** Returns a schema in which every optional member accepts null. */
function withNulls(schema: MemberSchema): MemberSchema {
  const { properties = {}, required = [] } = schema;
  const members = Object.entries(properties).map(([name, member]): [string, MemberSchema] => {
    if (member.items) return [name, { ...member, items: withNulls(member.items) }];
    if (required.includes(name) || isNullable(member)) return [name, member];
    return [name, { ...member, type: [member.type ?? [], 'null'].flat() }];
  });
  return members.length === 0 ? schema : { ...schema, properties: Object.fromEntries(members) };
}
