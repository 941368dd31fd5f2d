import type { Type } from '@nestjs/common';
import { InvalidInputError, type FieldProblem } from '@rdc/errors';
import { getMetadataStorage } from 'class-validator';
import { createRequire } from 'node:module';

/**
 * The storage of class-transformer for the classes that `@Type` names. The package exports no types for the storage.
 */
const { defaultMetadataStorage } = createRequire(import.meta.url)('class-transformer/cjs/storage.js') as {
  readonly defaultMetadataStorage: {
    findTypeMetadata(target: unknown, property: string): { typeFunction(): unknown } | undefined;
  };
};

const optionalBodyKey = 'rdc:body-may-be-missing';

/** Marks the class of an optional body. A missing body counts as `{}`. */
export function BodyMayBeMissing(): ClassDecorator {
  return (target) => {
    Reflect.defineMetadata(optionalBodyKey, true, target);
  };
}

/** Returns whether a body of this class is optional. */
export function mayBeMissing(metatype: Type | undefined): boolean {
  return metatype !== undefined && Reflect.hasMetadata(optionalBodyKey, metatype);
}

/** Maximum length of a list without `ArrayMaxSize`. */
const maxListLength = 10_000;

/** Maximum number of members of an object that no class describes. */
const maxFreeMembers = 100;

/** Number of problems after which the rest of a body is not checked. */
const maxProblems = 100;

/** The properties of a class that have rules, with the maximum length of a list in each property. */
type Properties = ReadonlyMap<string, number>;

const knownProperties = new WeakMap<Type, Properties>();

/** Returns the properties of a class that have rules, with the maximum length of a list in each property. */
export function propertiesOf(metatype: Type): Properties {
  const known = knownProperties.get(metatype);
  if (known) return known;
  const properties = new Map<string, number>();
  for (const { propertyName, name, constraints } of getMetadataStorage().getTargetValidationMetadatas(
    metatype,
    '',
    true,
    false,
  )) {
    const longest = name === 'arrayMaxSize' ? Number((constraints as unknown[])[0]) : maxListLength;
    properties.set(propertyName, Math.min(longest, properties.get(propertyName) ?? maxListLength));
  }
  knownProperties.set(metatype, properties);
  return properties;
}

/**
 * Compares the members of a body with the properties of its class, at every level. The comparison precedes
 * class-transformer and class-validator, whose time grows with the square of the number of members and list elements.
 *
 * @param value JSON within the limits of depth and number of values
 * @returns the unknown members of the body's top level, at most 99
 * @throws InvalidInputError if the body has more problems, an inner object has unknown members, or a list is too long
 */
export function unknownMembersOf(metatype: Type, value: object): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const body: Part = { value, metatype, field: '', longest: maxListLength };
  const left: Part[] = [];
  checkObject(body, left, problems);
  const unknown = [...problems];
  for (let part = left.pop(); part !== undefined && problems.length < maxProblems; part = left.pop()) {
    if (Array.isArray(part.value)) checkList(part, part.value, left, problems);
    else checkObject(part, left, problems);
  }
  if (problems.length > unknown.length || problems.length >= maxProblems) throw new InvalidInputError(problems);
  return unknown;
}

/** A list or an object within a body. */
interface Part {
  readonly value: object;
  /** The class of the object, or of the list's elements; undefined if no class describes them. */
  readonly metatype: Type | undefined;
  readonly field: string;
  /** Maximum number of elements if the value is a list. */
  readonly longest: number;
}

function checkList(part: Part, list: readonly unknown[], left: Part[], problems: FieldProblem[]): void {
  const { field, metatype, longest } = part;
  if (list.length > longest) {
    problems.push({ field, problem: `must have at most ${String(longest)} entries` });
    return;
  }
  list.forEach((value, at) => {
    if (isComposite(value)) left.push({ value, metatype, field: `${field}[${String(at)}]`, longest: maxListLength });
  });
}

function checkObject({ value, metatype, field }: Part, left: Part[], problems: FieldProblem[]): void {
  const properties = metatype && propertiesOf(metatype);
  const within = (member: string): string => (field === '' ? member : `${field}.${member}`);
  let members = 0;
  for (const [member, inner] of Object.entries(value)) {
    const longest = properties ? properties.get(member) : maxListLength;
    if (longest === undefined) problems.push({ field: within(member), problem: 'is not known here' });
    else if (isComposite(inner)) {
      left.push({ value: inner, metatype: metatype && typeOf(metatype, member), field: within(member), longest });
    }
    if (problems.length >= maxProblems) return;
    if (!properties && ++members > maxFreeMembers) {
      problems.push({ field, problem: `must have at most ${String(maxFreeMembers)} members` });
      return;
    }
  }
}

/** Returns the class that `@Type` names for a property; undefined if there is no such class or it has no rules. */
function typeOf(metatype: Type, property: string): Type | undefined {
  const found = defaultMetadataStorage.findTypeMetadata(metatype, property)?.typeFunction() as Type | undefined;
  return found && propertiesOf(found).size > 0 ? found : undefined;
}

function isComposite(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
