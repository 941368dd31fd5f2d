import { maxNamedProblems, type FieldProblem } from '@rdc/errors';
import { measureJsonText } from '@rdc/http';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { enumLabels, type JsonSchema } from './json-schema.js';

/** Validates documents against a published schema. Reports all problems of a document at once. */
export class DocumentValidator {
  private readonly validate: ValidateFunction;

  constructor(private readonly schema: JsonSchema) {
    const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, formats, keywords: [enumLabels] });
    this.validate = ajv.compile(schema);
  }

  /** Returns the problems of a document, which are empty if the document is valid. Their number is limited. */
  problemsOf(document: unknown): FieldProblem[] {
    const unknown = this.unknownMembersOf(document);
    if (unknown.length > maxUnknownMembers) {
      return unknown.slice(0, maxUnknownMembers).map((field) => ({ field, problem: 'is not known here' }));
    }
    if (!isStorable(document, maxDepth)) return [unstorable];
    const errors = this.validate(document) ? [] : (this.validate.errors ?? []);
    const violations = errors.slice(0, maxNamedProblems).map(problemOf);
    return [...violations, ...this.badMetadata(document)];
  }

  /** Returns members that the schema does not define. This check is faster than the validation. */
  private unknownMembersOf(document: unknown): string[] {
    const { properties = {}, additionalProperties } = this.schema;
    if (additionalProperties !== false || typeof document !== 'object' || document === null) return [];
    return Object.keys(document).filter((member) => !Object.hasOwn(properties, member));
  }

  /** Returns the problems of serialised members, whose content the schema describes but does not validate. */
  private badMetadata(document: unknown): FieldProblem[] {
    return Object.entries(this.schema.properties ?? {}).flatMap(([field, { contentMediaType }]) => {
      const value = (document as Readonly<Record<string, unknown>> | null)?.[field];
      const isBad = contentMediaType === 'application/json' && typeof value === 'string' && !isJsonObject(value);
      return isBad ? [{ field, problem: notAnObject }] : [];
    });
  }
}

/** The number of unknown members above which the document is not checked further. */
const maxUnknownMembers = 100;

/** The maximum nesting depth of a document. */
const maxDepth = 100;

const formats = { date: isDay, uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i };

/** Returns whether a text is an existing day in a year with four digits. */
function isDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

function isJsonObject(text: string): boolean {
  if (measureJsonText(text).excess !== null) return false;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) && isStorable(value, maxDepth);
  } catch {
    return false;
  }
}

/** Returns whether Postgres can store a JSON value: no NUL character, no lone surrogate, no infinite number. */
function isStorable(value: unknown, depth: number): boolean {
  if (depth === 0) return false;
  if (typeof value === 'string') return !/[\0\p{Surrogate}]/u.test(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([member, inner]) => isStorable(member, depth) && isStorable(inner, depth - 1));
}

const notAnObject = `must be a JSON object, possibly serialised, with at most ${String(maxDepth)} levels`;

const unstorable: FieldProblem = {
  field: '',
  problem: `The document contains a NUL character or a lone surrogate, or has more than ${String(maxDepth)} levels`,
};

function problemOf({ instancePath, keyword, params, parentSchema }: ErrorObject): FieldProblem {
  const field = fieldAt(instancePath);
  const details = params as Readonly<Record<string, unknown>>;
  switch (keyword) {
    case 'required':
      return { field: memberOf(field, String(details['missingProperty'])), problem: 'is missing' };
    case 'additionalProperties':
      return { field: memberOf(field, String(details['additionalProperty'])), problem: 'is not known here' };
    case 'type':
      return { field, problem: `must be ${kindsOf(details['type'])}` };
    case 'enum':
      return { field, ...choiceProblem(details['allowedValues'] as readonly unknown[]) };
    default:
      return { field, problem: sentences[keyword]?.(details, parentSchema as JsonSchema) ?? 'is invalid' };
  }
}

const sentences: Readonly<Record<string, (params: Readonly<Record<string, unknown>>, schema: JsonSchema) => string>> = {
  minLength: () => 'must not be empty',
  maxLength: ({ limit }) => `must have at most ${String(limit)} characters`,
  minimum: ({ limit }) => `must be at least ${String(limit)}`,
  maximum: ({ limit }) => `must be at most ${String(limit)}`,
  pattern: ({ pattern }) => patternProblems[String(pattern)] ?? `must match ${String(pattern)}`,
  format: ({ format }) => formatProblems[String(format)] ?? `must be a ${String(format)}`,
};

const patternProblems: Readonly<Record<string, string>> = {
  '\\S': 'must not be empty',
  '\\D': 'must not be empty or digits only, because digits are an id_at_source',
  '^[A-Z]{2}$': 'must be a country code of two capital letters (ISO 3166-1 alpha-2), such as LU',
};

const formatProblems: Readonly<Record<string, string>> = {
  date: 'must be a day that exists, such as 2024-02-29',
  uuid: 'must be a UUID, such as 3a11fc66-2433-4c2a-98e1-39167c3a3848',
};

function choiceProblem(allowed: readonly unknown[]): Omit<FieldProblem, 'field'> {
  const words = allowed.filter((each) => each !== null).map(String);
  return { problem: `must be one of ${words.join(', ')}${allowed.includes(null) ? ', or null' : ''}`, allowed: words };
}

const kindWords: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  array: 'a list',
  object: 'a JSON object',
  null: 'null',
};

function kindsOf(types: unknown): string {
  return [types]
    .flat()
    .map((type) => kindWords[String(type)] ?? String(type))
    .join(' or ');
}

/** Converts a JSON pointer such as `/contacts/0/email` to `contacts[0].email`. */
function fieldAt(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((field, step) => (/^\d+$/.test(step) ? `${field}[${step}]` : memberOf(field, step)), '');
}

function memberOf(field: string, member: string): string {
  return field === '' ? member : `${field}.${member}`;
}
