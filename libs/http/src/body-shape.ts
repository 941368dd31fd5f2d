import type { Type } from '@nestjs/common';
import { InvalidInputError, type FieldProblem } from '@rdc/errors';
import { getMetadataStorage } from 'class-validator';
import { createRequire } from 'node:module';

/** The part of class-transformer that knows which class `@Type` names; the package has no types for it. */
const { defaultMetadataStorage } = createRequire(import.meta.url)('class-transformer/cjs/storage.js') as {
  readonly defaultMetadataStorage: {
    findTypeMetadata(target: unknown, property: string): { typeFunction(): unknown } | undefined;
  };
};

const missableKey = 'rdc:body-may-be-missing';

/** Marks the class of a body that a caller may leave out: no body counts as `{}`. */
export function BodyMayBeMissing(): ClassDecorator {
  return (target) => {
    Reflect.defineMetadata(missableKey, true, target);
  };
}

/** Whether a caller may leave out a body of this class. */
export function mayBeMissing(metatype: Type | undefined): boolean {
  return metatype !== undefined && Reflect.hasMetadata(missableKey, metatype);
}

/** Elements of a list that no `ArrayMaxSize` bounds. */
const maxListLength = 10_000;

/** Members of an object that no class of ours describes. */
const maxFreeMembers = 100;

/** Problems after which the rest of a body is not looked at. */
const maxProblems = 100;

/** Properties of a class with rules, and the longest list that each of them may be. */
type Properties = ReadonlyMap<string, number>;

const knownProperties = new WeakMap<Type, Properties>();

/** Returns the properties that a class has rules for, each with the longest list that it may be. */
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
 * Compares the members of a body with those that its class knows, at every level, before anything is built from the body.
 * What builds and validates objects takes the square of the number of members, and of elements of a list.
 *
 * @param value JSON within bounds of depth and number of values
 * @returns the unknown members of the body itself, at most 99; the caller leaves them out of what it builds
 * @throws InvalidInputError if there are more, if an inner object has unknown members, or if a list is too long
 */
export function unknownMembersOf(metatype: Type, value: object): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const body: Part = { value, metatype, field: '', longest: maxListLength };
  const left: Part[] = [];
  lookAtObject(body, left, problems);
  const unknown = [...problems];
  for (let part = left.pop(); part !== undefined && problems.length < maxProblems; part = left.pop()) {
    if (Array.isArray(part.value)) lookAtList(part, part.value, left, problems);
    else lookAtObject(part, left, problems);
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
  /** Elements at most, if it is a list. */
  readonly longest: number;
}

function lookAtList(part: Part, list: readonly unknown[], left: Part[], problems: FieldProblem[]): void {
  const { field, metatype, longest } = part;
  if (list.length > longest) {
    problems.push({ field, problem: `must have at most ${String(longest)} entries` });
    return;
  }
  list.forEach((value, at) => {
    if (isComposite(value)) left.push({ value, metatype, field: `${field}[${String(at)}]`, longest: maxListLength });
  });
}

function lookAtObject({ value, metatype, field }: Part, left: Part[], problems: FieldProblem[]): void {
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

/** The class that `@Type` names for a property; undefined if there is none, or if it has no rules. */
function typeOf(metatype: Type, property: string): Type | undefined {
  const found = defaultMetadataStorage.findTypeMetadata(metatype, property)?.typeFunction() as Type | undefined;
  return found && propertiesOf(found).size > 0 ? found : undefined;
}

function isComposite(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
